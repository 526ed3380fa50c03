import { Schema } from "effect"
import { ContactId } from "../crm/index.ts"
import { ConversationId, MessageError } from "../messaging/inbox/index.ts"
import { shownWith, Timestamp } from "../kernel/index.ts"
import { VariantKey } from "./Broadcast.ts"
import { RecipientId } from "./Ids.ts"
import { ExclusionReason, RecipientStatus } from "./RecipientStatus.ts"

const at = Schema.NullOr(Timestamp)

/** A contact of a broadcast's audience, and what came of it. */
export const BroadcastRecipient = Schema.Struct({
  id: RecipientId.annotateKey({ description: "Also the id of the message in a conversation." }),
  contactId: ContactId,
  name: Schema.NullOr(Schema.String)
    .annotateKey({ description: "The contact's current name." })
    .pipe(shownWith("contacts.read")),
  address: Schema.NullOr(Schema.String).pipe(shownWith("contacts.read")),
  variant: Schema.NullOr(VariantKey),
  status: RecipientStatus,
  reason: Schema.NullOr(ExclusionReason).annotateKey({ description: "Why it is excluded." }),
  error: Schema.NullOr(MessageError),
  attempts: Schema.Int,
  dueAt: at,
  sentAt: at,
  deliveredAt: at,
  readAt: at,
  failedAt: at,
  repliedAt: at,
  optedOutAt: at,
  conversationId: Schema.NullOr(ConversationId)
}).annotate({ identifier: "BroadcastRecipient" })
export type BroadcastRecipient = typeof BroadcastRecipient.Type
