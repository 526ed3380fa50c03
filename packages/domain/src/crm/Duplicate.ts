import { Schema } from "effect"
import { Timestamp, Uuid } from "../kernel/index.ts"
import { Contact } from "./Contact.ts"
import { IdentityKind } from "./Identity.ts"

export const DuplicateId = Uuid.pipe(Schema.brand("DuplicateId"))
export type DuplicateId = typeof DuplicateId.Type

/** Who has told two identities as those of one person: the chat provider, or a row of a file. */
export const DuplicateSource = Schema.Literals(["chat", "import"])
export type DuplicateSource = typeof DuplicateSource.Type

const Known = Schema.Struct({ kind: IdentityKind, value: Schema.String })

/** Another contact that may be the same person, and why. */
export const Duplicate = Schema.Struct({
  id: DuplicateId,
  contact: Contact,
  source: DuplicateSource,
  identity: Known.annotateKey({ description: "What this contact is known by, told together with:" }),
  otherIdentity: Known.annotateKey({ description: "What the other contact is known by." }),
  foundAt: Timestamp
}).annotate({ identifier: "Duplicate" })
export type Duplicate = typeof Duplicate.Type
