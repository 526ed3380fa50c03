import { DateTime, Effect } from "effect"
import { type Contact, Contacts, sameIdentity } from "../../../crm/index.ts"
import { invalid } from "../../../kernel/index.ts"
import {
  channelFor,
  ChatAccounts,
  type MessageSending,
  type Recipient,
  UnsupportedByChannel
} from "../../chat/index.ts"
import type { Conversation } from "../Conversation.ts"
import type { MessageKind, RecipientChoice } from "../Message.ts"
import { ChatAccountDisconnected, ContactUnreachable, RecipientTaken, ServiceWindowClosed } from "../errors.ts"
import { isWindowOpen, type Reachable, reachedBy, recipientNow, waysTo, windowOf } from "../recipients.ts"

type Known = Pick<Reachable, "identities">

const isKnownBy = ({ identities }: Known, way: Recipient) => identities.some((each) => sameIdentity(each, way))

/** Refuses to write to somebody who is another contact by now. */
export const requireOwn = Effect.fnUntraced(function* (contact: Known, way: Recipient) {
  if (isKnownBy(contact, way)) return
  const [other] = yield* (yield* Contacts).findByIdentity([way])
  if (other !== undefined) return yield* new RecipientTaken({ contactId: other.id, kind: way.kind })
})

/** The identity of the contact that somebody has chosen. */
export const chosenWay = Effect.fnUntraced(function* (
  contact: Contact,
  { kind, value }: RecipientChoice,
  sending: MessageSending
) {
  const found = reachedBy(waysTo(contact), sending).find((way) => sameIdentity(way, { kind, value }))
  if (found !== undefined) return found
  yield* requireOwn(contact, { kind, value })
  return yield* invalid(
    "/recipient",
    "Expected an identity that the contact is known by, and that is reached over this number"
  )
})

/** What there is to say about whom a message goes to. */
export interface Addressing {
  /** Whom the caller wants to write to. */
  readonly chosen?: RecipientChoice | undefined
  /** Whom the message was written to, where it is tried again. */
  readonly former?: Recipient | null
}

const wayOf = Effect.fnUntraced(function* (
  conversation: Conversation,
  contact: Contact,
  { chosen, former = null }: Addressing,
  sending: MessageSending,
  now: DateTime.Utc
) {
  if (chosen !== undefined) return yield* chosenWay(contact, chosen, sending)
  const way = former ?? recipientNow(conversation, reachedBy(waysTo(contact), sending), now)
  if (way === null) return yield* new ContactUnreachable({ reason: "no_identity" })
  yield* requireOwn(contact, way)
  const isGone = !isKnownBy(contact, way) && !isWindowOpen(windowOf(conversation, way), now)
  return isGone ? yield* new ContactUnreachable({ reason: "recipient_removed" }) : way
})

const isSent = ({ kinds }: MessageSending, kind: MessageKind) => [...kinds].some((each) => each === kind)

/** Whom a message goes to now. Refuses one that could not reach them. */
export const reach = Effect.fnUntraced(function* (
  conversation: Conversation,
  kind: MessageKind,
  addressing: Addressing = {}
) {
  const { chatAccountId, contactId } = conversation
  const [account] = yield* (yield* ChatAccounts).find([chatAccountId])
  if (account === undefined || account.status === "disconnected") return yield* new ChatAccountDisconnected()
  const sending = yield* channelFor(account, "sending")
  if (!isSent(sending, kind)) return yield* new UnsupportedByChannel({ provider: account.provider, need: kind })
  const [contact] = yield* (yield* Contacts).find([contactId])
  if (contact === undefined) return yield* new ContactUnreachable({ reason: "no_identity" })
  if (contact.blockedAt !== null) return yield* new ContactUnreachable({ reason: "blocked" })
  const now = yield* DateTime.now
  const way = yield* wayOf(conversation, contact, addressing, sending, now)
  const expiresAt = windowOf(conversation, way)
  if (kind === "template" || !sending.hasServiceWindow || isWindowOpen(expiresAt, now)) return way
  return yield* new ServiceWindowClosed({ expiredAt: expiresAt === null ? null : DateTime.formatIso(expiresAt) })
})
