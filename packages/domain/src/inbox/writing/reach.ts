import { DateTime, Effect } from "effect"
import { ChatAccounts, type Recipient } from "../../chat/index.ts"
import { type Contact, Contacts } from "../../crm/index.ts"
import type { Conversation } from "../Conversation.ts"
import { ChatAccountDisconnected, ContactUnreachable, ServiceWindowClosed } from "../Errors.ts"
import type { MessageKind } from "../Message.ts"
import { isWindowOpen } from "../shown.ts"

/** What a contact is written to by; `null` where there is nothing. */
export const recipientOf = ({ identities, phone }: Contact): Recipient | null => {
  if (phone !== null) return { kind: "phone", value: phone }
  const chatUser = identities.find(({ kind }) => kind === "chat_user")
  return chatUser === undefined ? null : { kind: "chat_user", value: chatUser.value }
}

/** Refuses a message that could not reach the contact now. */
export const checkReach = Effect.fnUntraced(function* (
  { chatAccountId, contactId, windowExpiresAt }: Conversation,
  kind: MessageKind
) {
  const [account] = yield* (yield* ChatAccounts).find([chatAccountId])
  if (account === undefined || account.status === "disconnected") return yield* new ChatAccountDisconnected()
  const [contact] = yield* (yield* Contacts).find([contactId])
  if (contact === undefined) return yield* new ContactUnreachable({ reason: "no_identity" })
  if (contact.blockedAt !== null) return yield* new ContactUnreachable({ reason: "blocked" })
  if (recipientOf(contact) === null) return yield* new ContactUnreachable({ reason: "no_identity" })
  if (kind === "template" || isWindowOpen(windowExpiresAt, yield* DateTime.now)) return
  return yield* new ServiceWindowClosed({
    expiredAt: windowExpiresAt === null ? null : DateTime.formatIso(windowExpiresAt)
  })
})
