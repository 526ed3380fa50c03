import { Effect } from "effect"
import { type Fault, ValidationFailed } from "../../kernel/index.ts"
import type { Contact } from "../Contact.ts"
import { mostIdentities } from "../drafts.ts"

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
