import type { ContactId, PersonIdentity } from "@parley/domain/crm"
import type { PendingMessageRow, Recipient } from "@parley/domain/messaging"
import { type Instant, utcOrNull } from "../../kernel/columns.ts"
import { type ConversationRow, windowsOf } from "./conversationRow.ts"
import { messageOf, type MessageRow } from "./messageRow.ts"

/** A message to send, with its conversation and contact. */
export interface ReadingRow
  extends MessageRow, Pick<ConversationRow, "contactId" | "windowExpiresAt" | "otherWindows"> {
  readonly heldWith: Recipient | null
  readonly provider: string | null
  readonly knownId: ContactId | null
  readonly phone: string | null
  readonly identities: ReadonlyArray<PersonIdentity> | null
  readonly blockedAt: Instant | null
}

/** Columns in addition to the message, from `conversations AS c` and `contacts AS p`. */
export const readingColumns = `c.contact_id AS "contactId", c.recipient AS "heldWith", c.window_expires_at AS "windowExpiresAt",
  c.other_windows AS "otherWindows", p.id AS "knownId", p.phone, p.identities, p.blocked_at AS "blockedAt"`

export const readingOf = (row: ReadingRow): PendingMessageRow => {
  const { blockedAt, contactId, heldWith: recipient, identities, knownId, otherWindows, phone, windowExpiresAt } = row
  return {
    message: messageOf(row),
    conversation: windowsOf({ contactId, recipient, windowExpiresAt, otherWindows }),
    provider: row.provider,
    contact:
      knownId === null ? null : { id: knownId, phone, identities: identities ?? [], blockedAt: utcOrNull(blockedAt) }
  }
}
