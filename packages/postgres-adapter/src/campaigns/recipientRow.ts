import { type PlacedRecipient, type BroadcastId, recipientIdAt, recipientPrefix } from "@parley/domain/campaigns"
import { type Instant, utcOrNull } from "../kernel/columns.ts"

type Times = "dueAt" | "sentAt" | "deliveredAt" | "readAt" | "failedAt" | "repliedAt" | "optedOutAt"

/** A recipient as read, together with other columns. */
export interface RecipientRow extends Omit<PlacedRecipient, Times | "id">, Readonly<Record<Times, Instant | null>> {}

/**
 * Status of a recipient `r` of the broadcast `b`, with `w` for its place in a window. Recipients in a window are in flight. Those left at the end of
 * the broadcast are never sent to.
 */
export const recipientStatus = `CASE WHEN w.seq IS NOT NULL THEN 'in_flight' WHEN r.status NOT IN ('pending', 'waiting') THEN r.status
  WHEN b.status IN ('completed', 'cancelled', 'failed') THEN 'never_sent' ELSE 'pending' END`

/** Columns of a recipient `r`. */
export const recipientColumns = `r.seq, r.contact_id AS "contactId", r.address, r.variant::text AS variant,
  ${recipientStatus} AS status, r.reason, r.error, r.attempts, r.due_at AS "dueAt", r.sent_at AS "sentAt",
  r.delivered_at AS "deliveredAt", r.read_at AS "readAt", r.failed_at AS "failedAt", r.replied_at AS "repliedAt",
  r.opted_out_at AS "optedOutAt", r.conversation_id AS "conversationId"`

export const recipientOf = (broadcastId: BroadcastId, row: RecipientRow): PlacedRecipient => ({
  ...row,
  id: recipientIdAt(recipientPrefix(broadcastId), row.seq),
  dueAt: utcOrNull(row.dueAt),
  sentAt: utcOrNull(row.sentAt),
  deliveredAt: utcOrNull(row.deliveredAt),
  readAt: utcOrNull(row.readAt),
  failedAt: utcOrNull(row.failedAt),
  repliedAt: utcOrNull(row.repliedAt),
  optedOutAt: utcOrNull(row.optedOutAt)
})
