import { Effect } from "effect"
import { ValidationFailed } from "../../kernel/index.ts"
import { type AttributesInput, faultsOfAttributes } from "../Attributes.ts"
import { ContactFields } from "../ContactFields.ts"

/** Refuses attributes without a contact field, or of a wrong type. */
export const checkAttributes = Effect.fnUntraced(function* (attributes: AttributesInput | undefined) {
  if (attributes === undefined || Object.keys(attributes).length === 0) return
  const faults = faultsOfAttributes(yield* (yield* ContactFields).all(), attributes, "/attributes")
  if (faults.length > 0) return yield* new ValidationFailed({ errors: faults })
})
