import { DateTime, Effect, type Result, Schema } from "effect"
import type { ContactId, IdentityRef } from "../../../crm/index.ts"
import {
  activeRestriction,
  businessOf,
  type BusinessRef,
  channelFor,
  type ChatAccount,
  type ChatAccountId,
  ChatAccounts,
  ChatChannels,
  dailyLimitOf,
  type MessageSender,
  openProviderConnection,
  type OutgoingMessage,
  type PairLimit,
  type Recipient,
  sendWaitDeadline
} from "../../chat/index.ts"
import { type SendLease, SendQueue, type PendingMessageRow } from "../SendQueue.ts"
import { ContactUnreachable } from "../errors.ts"
import { isWindowOpen, reachableVia, currentRecipient, recipientIdentities, findWindowExpiry } from "../recipients.ts"
import { requireOwnRecipient } from "../writing/recipientResolution.ts"
import {
  findRepliedProviderId,
  cannotSend,
  type CannotSend,
  buildOutgoingContent,
  type SendConnection
} from "./messageContent.ts"

/** Failure of a message whose number was removed. The number can be connected again; until then the message waits. */
export class AccountRemoved extends Schema.TaggedError<AccountRemoved>()("NumberAwaited", {
  until: Schema.DateTimeUtc
}) {}

const failForRemovedAccount = Effect.fnUntraced(function* (id: ChatAccountId) {
  const removal = (yield* (yield* ChatAccounts).removed()).find(({ account }) => account.id === id)
  const until = removal === undefined ? null : sendWaitDeadline(removal.removedAt)
  if (until !== null && DateTime.isLessThan(yield* DateTime.now, until)) return yield* new AccountRemoved({ until })
  return yield* cannotSend(
    "chat_account_removed",
    "The chat account was removed and not connected again within one day."
  )
})

/** Resolves the number that a message goes over. */
const resolveProviderConnection = Effect.fnUntraced(
  function* (id: ChatAccountId) {
    const account = yield* (yield* ChatAccounts).get(id)
    if (account.status !== "disconnected") return { account, line: yield* openProviderConnection(account) }
    return yield* cannotSend("chat_account_disconnected", "The chat account is disconnected.")
  },
  (effect, id) => Effect.catchTag(effect, "NotFound", () => failForRemovedAccount(id))
)

/** Data for sending one message. The message is `null` if it no longer exists. */
export interface PendingMessage {
  readonly reading: PendingMessageRow | null
  readonly sending: Result.Result<SendConnection, CannotSend | AccountRemoved>
}

/** Reads the data for sending messages of an account. */
export const loadForSending = Effect.fnUntraced(function* (
  chatAccountId: ChatAccountId,
  leases: ReadonlyArray<SendLease>
) {
  const queue = yield* SendQueue
  const [readings, sending] = yield* Effect.all(
    [queue.read(leases), Effect.result(resolveProviderConnection(chatAccountId))],
    {
      concurrency: 2
    }
  )
  const byId = new Map(readings.map((reading) => [reading.message.id, reading]))
  return ({ messageId }: SendLease): PendingMessage => ({ reading: byId.get(messageId) ?? null, sending })
})

/** Message that is ready for the provider, with its recipient. */
export interface PreparedMessage {
  readonly outgoing: OutgoingMessage
  readonly call: ReturnType<MessageSender["send"]>
  readonly contactId: ContactId
  /** Identities of the contact before the call. */
  readonly identities: ReadonlyArray<IdentityRef>
  /** Limit of messages to one recipient; `null` without one. */
  readonly pairLimit: PairLimit | null
  /** Maximum rate of the account in messages per second, as reported by the provider. */
  readonly throughputPerSecond: number | null
  /** Business and recipient that count for the daily limit outside a service window; `null` if no limit applies. */
  readonly reaching: { readonly business: BusinessRef; readonly recipient: Recipient } | null
}

const loadDefaultRecipient = Effect.fnUntraced(function* (
  { conversation, provider }: PendingMessageRow,
  contact: NonNullable<PendingMessageRow["contact"]>
) {
  const sending = (yield* ChatChannels).get(provider ?? "")?.sending
  if (sending === undefined) return null
  return currentRecipient(conversation, reachableVia(recipientIdentities(contact), sending), yield* DateTime.now)
})

/**
 * Returns the recipient that the message was written to, even if the contact has lost that identity. Fails if it belongs to another contact by now.
 */
const findRecipient = Effect.fnUntraced(
  function* (reading: PendingMessageRow) {
    const { contact, conversation, message } = reading
    if (contact === null) return yield* cannotSend("contact_unreachable", "The contact no longer exists.")
    if (contact.blockedAt !== null) return yield* cannotSend("contact_blocked", "The contact is blocked.")
    const to = message.recipient ?? (yield* loadDefaultRecipient(reading, contact))
    if (to === null)
      return yield* cannotSend("contact_unreachable", new ContactUnreachable({ reason: "no_identity" }).message)
    yield* requireOwnRecipient(contact, to)
    return {
      to,
      contactId: contact.id,
      identities: contact.identities,
      windowExpiresAt: findWindowExpiry(conversation, to)
    }
  },
  Effect.catchTag("RecipientReassigned", ({ message }) => Effect.fail(cannotSend("recipient_reassigned", message)))
)

/** Fails while the provider restricts messages of this kind. Outside of a service window the business initiates them. */
const requireUnrestricted = Effect.fnUntraced(function* (account: ChatAccount, isOutside: boolean, now: DateTime.Utc) {
  const scope = isOutside ? "business_initiated_messages" : "customer_initiated_messages"
  const restriction = activeRestriction(account, scope, now)
  if (restriction === null) return
  const { expiresAt, type } = restriction
  const until = expiresAt === null ? "" : ` until ${DateTime.formatIso(expiresAt)}`
  return yield* cannotSend("chat_account_restricted", `The provider restricts the chat account${until} (${type}).`)
})

/** A one-time code goes to the phone of the contact, because the provider refuses other recipients. */
const requirePhone = Effect.fnUntraced(function* (
  chosen: Recipient,
  identities: ReadonlyArray<IdentityRef>
): Effect.fn.Return<Recipient, CannotSend> {
  const phone = [chosen, ...identities].find(({ kind }) => kind === "phone")
  if (phone !== undefined) return { kind: "phone", value: phone.value }
  return yield* cannotSend("phone_number_required", "A one-time code can only be sent to a phone number.")
})

/** Prepares a message for the provider; `null` if the message no longer waits. */
export const prepare = Effect.fnUntraced(function* (
  { chatAccountId, conversationId }: SendLease,
  { reading, sending: found }: PendingMessage
) {
  if (reading?.message.status !== "queued" || reading.message.conversationId !== conversationId) return null
  const { message } = reading
  const { contactId, identities, to: chosen, windowExpiresAt } = yield* findRecipient(reading)
  const sending = yield* Effect.fromResult(found)
  const { account, line } = sending
  // A template is missing if its number was removed concurrently. Then the removal is the reason.
  const content = yield* Effect.tapErrorTag(buildOutgoingContent(sending, message), "CannotSend", () =>
    resolveProviderConnection(chatAccountId)
  )
  const isPhoneOnly = content.kind === "template" && content.template.isPhoneOnly === true
  const to = isPhoneOnly ? yield* requirePhone(chosen, identities) : chosen
  const replyTo = content.kind === "reaction" ? null : yield* findRepliedProviderId(conversationId, message.replyToId)
  const outgoing: OutgoingMessage = { to, content, replyTo, reference: message.id }
  const { pairLimit = null, send } = yield* Effect.catchTag(
    channelFor(account, "sending"),
    "UnsupportedByChannel",
    ({ message }) => Effect.fail(cannotSend("unsupported_by_channel", message))
  )
  const { throughputPerSecond } = account
  const now = yield* DateTime.now
  const isOutside = !isWindowOpen(windowExpiresAt, now)
  yield* requireUnrestricted(account, isOutside, now)
  const counts = content.kind === "template" && isOutside && dailyLimitOf(account) !== null
  return {
    outgoing,
    contactId,
    identities,
    pairLimit,
    throughputPerSecond,
    reaching: counts ? { business: businessOf(account), recipient: to } : null,
    call: send(line, outgoing)
  } satisfies PreparedMessage
})
