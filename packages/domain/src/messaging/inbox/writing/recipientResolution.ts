import { DateTime, Effect } from "effect"
import { type Contact, type ContactId, Contacts, Duplicates, isSameIdentity } from "../../../crm/index.ts"
import { invalid } from "../../../kernel/index.ts"
import {
  channelFor,
  type ChatAccount,
  ChatAccounts,
  type MessageSender,
  type Recipient,
  UnsupportedByChannel
} from "../../chat/index.ts"
import type { Conversation } from "../Conversation.ts"
import type { MessageKind, RecipientChoice } from "../Message.ts"
import { ChatAccountDisconnected, ContactUnreachable, RecipientReassigned, ServiceWindowClosed } from "../errors.ts"
import {
  isWindowOpen,
  type RecipientSource,
  reachableVia,
  currentRecipient,
  recipientIdentities,
  findWindowExpiry
} from "../recipients.ts"

type KnownIdentities = Pick<RecipientSource, "identities"> & Pick<Contact, "id">

const findKnown = ({ identities }: KnownIdentities, way: Recipient) =>
  identities.find((each) => isSameIdentity(each, way))

const isKnownBy = (contact: KnownIdentities, way: Recipient) => findKnown(contact, way) !== undefined

/** Finds the contact that the provider reported together with this identity. */
const findReportedOwner = Effect.fnUntraced(function* (id: ContactId, way: Recipient) {
  const [link] = yield* (yield* Duplicates).list(id, [way], { limit: 1, after: null })
  return link?.otherId ?? null
})

/** Refuses an identity that belongs to another person by now. */
export const requireOwnRecipient = Effect.fnUntraced(function* (contact: KnownIdentities, way: Recipient) {
  const known = findKnown(contact, way)
  if (known !== undefined && known.formerSince === undefined) return
  if (known !== undefined) {
    const contactId = yield* findReportedOwner(contact.id, way)
    return yield* new RecipientReassigned({ contactId, kind: way.kind })
  }
  const [other] = yield* (yield* Contacts).findByIdentity([way])
  if (other !== undefined) return yield* new RecipientReassigned({ contactId: other.id, kind: way.kind })
})

/** Returns the chosen identity of the contact. */
export const chosenRecipient = Effect.fnUntraced(function* (
  contact: Contact,
  { kind, value }: RecipientChoice,
  sending: MessageSender
) {
  const found = reachableVia(recipientIdentities(contact), sending).find((way) => isSameIdentity(way, { kind, value }))
  if (found !== undefined) return found
  yield* requireOwnRecipient(contact, { kind, value })
  return yield* invalid("/recipient", "Expected an identity of the contact that is reachable through this number")
})

/** Inputs for the choice of a recipient. */
export interface RecipientInput {
  /** Recipient that the caller has chosen. */
  readonly chosen?: RecipientChoice | undefined
  /** Recipient of the earlier attempt, for a retry. */
  readonly former?: Recipient | null
}

const chooseRecipient = Effect.fnUntraced(function* (
  conversation: Conversation,
  contact: Contact,
  { chosen, former = null }: RecipientInput,
  sending: MessageSender,
  now: DateTime.Utc
) {
  if (chosen !== undefined) return yield* chosenRecipient(contact, chosen, sending)
  const way = former ?? currentRecipient(conversation, reachableVia(recipientIdentities(contact), sending), now)
  if (way === null) return yield* new ContactUnreachable({ reason: "no_identity" })
  yield* requireOwnRecipient(contact, way)
  const isGone = !isKnownBy(contact, way) && !isWindowOpen(findWindowExpiry(conversation, way), now)
  return isGone ? yield* new ContactUnreachable({ reason: "recipient_removed" }) : way
})

const isKindSupported = ({ kinds }: MessageSender, kind: MessageKind) => [...kinds].some((each) => each === kind)

/** Conversation with its account and its contact; `undefined` if they are deleted. */
export interface MessageTarget {
  readonly conversation: Conversation
  readonly account: ChatAccount | undefined
  readonly contact: Contact | undefined
}

/** Resolves the recipient of a message from what was read for it. Fails if the message could not reach it. */
export const resolveRecipientOf = Effect.fnUntraced(function* (
  { account, contact, conversation }: MessageTarget,
  kind: MessageKind,
  addressing: RecipientInput = {}
) {
  if (account === undefined || account.status === "disconnected") return yield* new ChatAccountDisconnected()
  const sending = yield* channelFor(account, "sending")
  if (!isKindSupported(sending, kind))
    return yield* new UnsupportedByChannel({ provider: account.provider, need: kind })
  if (contact === undefined) return yield* new ContactUnreachable({ reason: "no_identity" })
  if (contact.blockedAt !== null) return yield* new ContactUnreachable({ reason: "blocked" })
  const now = yield* DateTime.now
  const way = yield* chooseRecipient(conversation, contact, addressing, sending, now)
  const expiresAt = findWindowExpiry(conversation, way)
  if (kind === "template" || !sending.hasServiceWindow || isWindowOpen(expiresAt, now)) return way
  return yield* new ServiceWindowClosed({ expiredAt: expiresAt === null ? null : DateTime.formatIso(expiresAt) })
})

/** Reads the account and the contact of a conversation, and resolves the recipient of a message. */
export const resolveRecipient = Effect.fnUntraced(function* (
  conversation: Conversation,
  kind: MessageKind,
  addressing: RecipientInput = {}
) {
  const [account] = yield* (yield* ChatAccounts).find([conversation.chatAccountId])
  const [contact] = yield* (yield* Contacts).find([conversation.contactId])
  return yield* resolveRecipientOf({ conversation, account, contact }, kind, addressing)
})
