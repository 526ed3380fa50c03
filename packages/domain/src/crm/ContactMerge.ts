import { Schema } from "effect"
import { ActorRef, Timestamp, wholeShownWith } from "../kernel/index.ts"
import { Contact } from "./Contact.ts"
import { ContactId, ContactMergeId } from "./Ids.ts"

/** Two contacts that were made one, with all that is needed to part them again. */
export class ContactMerge extends Schema.Class<ContactMerge>("ContactMerge")(
  {
    id: ContactMergeId,
    survivorId: ContactId,
    /** The survivor before the merge. */
    before: Contact,
    /** The other contact, which is hidden while the merge exists. */
    merged: Contact,
    actor: ActorRef,
    at: Timestamp,
    undoneAt: Schema.NullOr(Timestamp)
  },
  wholeShownWith("contacts.read")
) {}

/** What a merge answers: the contact that is left, and the merge by which it can be parted again. */
export const Merged = Schema.Struct({ contact: Contact, mergeId: ContactMergeId }).annotate({ identifier: "Merged" })
export type Merged = typeof Merged.Type

/** What an unmerge answers: both contacts. */
export const Unmerged = Schema.Struct({ contact: Contact, restored: Contact }).annotate({ identifier: "Unmerged" })
export type Unmerged = typeof Unmerged.Type
