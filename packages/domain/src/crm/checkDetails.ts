import { Effect } from "effect"
import { type Fault, NotFound, ValidationFailed } from "../kernel/index.ts"
import { type AttributesInput, faultsOfAttributes } from "./Attributes.ts"
import { type Contact } from "./Contact.ts"
import { ContactFields } from "./ContactFields.ts"
import { mostIdentities } from "./drafts.ts"
import type { TagId } from "./Ids.ts"
import { Tags } from "./Tags.ts"

/** Refuses attributes without a contact field, or of a wrong type. */
export const checkAttributes = Effect.fnUntraced(function* (attributes: AttributesInput | undefined) {
  if (attributes === undefined || Object.keys(attributes).length === 0) return
  const faults = faultsOfAttributes(yield* (yield* ContactFields).all(), attributes, "/attributes")
  if (faults.length > 0) return yield* new ValidationFailed({ errors: faults })
})

/** Refuses tags that do not exist. */
export const checkTags = Effect.fnUntraced(function* (tags: ReadonlyArray<TagId> | undefined, pointer: string) {
  if (tags === undefined || tags.length === 0) return
  const found = new Set((yield* (yield* Tags).find(tags)).map(({ id }) => id))
  const missing = tags.findIndex((id) => !found.has(id))
  if (missing >= 0) return yield* new NotFound({ resource: "tag", pointer: `${pointer}/${missing}` })
})

/** Refuses a contact with neither a name nor an identity, and one with too many identities. */
export const checkCompleteness = ({ identities, name }: Contact) => {
  const faults: ReadonlyArray<Fault> = [
    ...(name === null && identities.length === 0
      ? [{ pointer: "", message: "A contact needs a name, a phone number, an e-mail address or another identity" }]
      : []),
    ...(identities.length > mostIdentities
      ? [{ pointer: "", message: `A contact has at most ${mostIdentities} identities` }]
      : [])
  ]
  return faults.length === 0 ? Effect.void : Effect.fail(new ValidationFailed({ errors: faults }))
}
