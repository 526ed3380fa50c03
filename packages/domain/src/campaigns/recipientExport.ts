import { Schema } from "effect"
import { shownWith } from "../kernel/index.ts"
import { BroadcastRecipient } from "./BroadcastRecipient.ts"
import { BroadcastId } from "./Ids.ts"

const { contactId: _contactId, name: _name, ...fields } = BroadcastRecipient.fields

/** A place of the person on the list of a broadcast, with what they were sent. */
export const ContactRecipient = Schema.Struct({
  ...fields,
  broadcastId: BroadcastId,
  broadcastName: Schema.String,
  values: Schema.NullOr(Schema.Record(Schema.String, Schema.String))
    .annotateKey({ description: "Values of the template's variables." })
    .pipe(shownWith("contacts.read"))
}).annotate({ identifier: "ContactRecipient" })
export type ContactRecipient = typeof ContactRecipient.Type

/** The export of the broadcasts that a person was to get. */
export const exportedRecipients = { broadcasts: Schema.Array(ContactRecipient) }
