import { Schema } from "effect"
import { Timestamp, Uuid, wholeShownWith } from "../kernel/index.ts"
import { Contact } from "./Contact.ts"
import { IdentityKind } from "./Identity.ts"

export const DuplicateId = Uuid.pipe(Schema.brand("DuplicateId"))
export type DuplicateId = typeof DuplicateId.Type

/** Where two identities were given as those of one person: by the chat provider, or in a row of a file. */
export const DuplicateSource = Schema.Literals(["chat", "import"])
export type DuplicateSource = typeof DuplicateSource.Type

const Known = Schema.Struct({ kind: IdentityKind, value: Schema.String })

/** Another contact that may be the same person, and why. */
export const Duplicate = Schema.Struct({
  id: DuplicateId,
  contact: Contact,
  source: DuplicateSource,
  identity: Known.annotateKey({
    description: "The identity of this contact. Both identities were given as those of one person."
  }),
  otherIdentity: Known.annotateKey({ description: "The identity of the other contact." }),
  foundAt: Timestamp
}).annotate({ identifier: "Duplicate", ...wholeShownWith("contacts.read") })
export type Duplicate = typeof Duplicate.Type
