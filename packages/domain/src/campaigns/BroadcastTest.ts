import { Cause, DateTime, Effect, Exit, Option, Schema } from "effect"
import {
  type Contact,
  ContactId,
  Contacts,
  findSuppressed,
  identityLookupKey,
  type IdentityRef,
  PhoneNumber,
  PhoneNumberInput,
  isSameIdentity
} from "../crm/index.ts"
import { Ids, transact } from "../kernel/index.ts"
import {
  type ChannelFailure,
  type ChatAccount,
  dailyLimitOf,
  businessOf,
  DailyRecipients,
  type OutgoingMessage,
  type Recipient,
  type FilledTemplate
} from "../messaging/chat/index.ts"
import {
  Conversations,
  isWindowOpen,
  MessageError,
  messageErrorOf,
  type PaceControl,
  findWindowExpiry
} from "../messaging/inbox/index.ts"
import { VariantKey } from "./Broadcast.ts"
import type { SendContext } from "./sending/SendContext.ts"

export const NewBroadcastTest = Schema.Struct({
  to: Schema.Array(PhoneNumberInput).check(
    Schema.isBetweenLength(1, 5, { message: "Expected 1 to 5 phone numbers" }),
    Schema.isUnique({ message: "Expected each phone number once" })
  ),
  contactId: Schema.optionalKey(ContactId).annotateKey({
    description: "Contact whose values fill the message. It needs the permission `contacts.read`."
  }),
  variant: Schema.optionalKey(VariantKey).annotateKey({ description: "Default: the first one." })
}).annotate({ identifier: "NewBroadcastTest" })
export type NewBroadcastTest = typeof NewBroadcastTest.Type

/** Result of one test message. */
export const BroadcastTestResult = Schema.Struct({
  to: PhoneNumber,
  /** `refused`: the contact is blocked or has opted out. `in_doubt`: the answer of the provider was lost. */
  status: Schema.Literals(["sent", "failed", "refused", "in_doubt"]),
  error: Schema.NullOr(MessageError)
}).annotate({ identifier: "BroadcastTestResult" })
export type BroadcastTestResult = typeof BroadcastTestResult.Type

/** Test results, one per number. */
export const BroadcastTest = Schema.Struct({ results: Schema.Array(BroadcastTestResult) }).annotate({
  identifier: "BroadcastTest"
})
export type BroadcastTest = typeof BroadcastTest.Type

/**
 * Counts the test recipients for the daily limit of the account's business. Recipients with an open service window do not count. Tests can use the
 * whole limit; the provider rejects messages above it.
 */
export const reserveTestRecipients = Effect.fnUntraced(function* (
  account: ChatAccount,
  to: ReadonlyArray<PhoneNumber>
) {
  if (dailyLimitOf(account) === null || to.length === 0) return
  const now = yield* DateTime.now
  const recipients = to.map((value): Recipient => ({ kind: "phone", value }))
  const contacts = yield* (yield* Contacts).findByIdentity(recipients)
  const windows = yield* (yield* Conversations).windows(
    account.id,
    contacts.map(({ id }) => id)
  )
  const outside = recipients.filter((recipient) => {
    const contact = contacts.find(({ identities }) => identities.some((mine) => isSameIdentity(mine, recipient)))
    return !windows.some(
      (each) => each.contactId === contact?.id && isWindowOpen(findWindowExpiry(each, recipient), now)
    )
  })
  yield* (yield* DailyRecipients).reach(businessOf(account), outside, { now, most: null })
}, transact)

const asPhone = (value: PhoneNumber): IdentityRef => ({ kind: "phone", value })

/** Returns the numbers that must not get messages, with the reason. */
export const loadTestRefusals = Effect.fnUntraced(function* (to: ReadonlyArray<PhoneNumber>) {
  const identities = to.map(asPhone)
  const contacts: ReadonlyArray<Contact> = yield* (yield* Contacts).findByIdentity(identities)
  const suppressed = yield* findSuppressed(identities)
  return (number: PhoneNumber) => {
    const identity = asPhone(number)
    const contact = contacts.find((each) => each.identities.some((mine) => isSameIdentity(mine, identity)))
    if (contact !== undefined && contact.blockedAt !== null) {
      return { code: "blocked", providerCode: null, reason: "This contact is blocked." }
    }
    const hasOptedOut = contact?.consent.marketing === "unsubscribed" || suppressed.has(identityLookupKey(identity))
    return hasOptedOut ? { code: "unsubscribed", providerCode: null, reason: "This contact has opted out." } : null
  }
})

/** Returns the result of a message that was not sent. */
export const toFailedTestResult = (error: ChannelFailure) => {
  const refused =
    error._tag === "ChannelRefused"
      ? { remedy: error.remedy, code: error.code ?? 0, reason: error.reason }
      : { remedy: "retry" as const, code: 0, reason: "The chat provider is not reachable." }
  return (to: PhoneNumber): BroadcastTestResult => ({ to, status: "failed", error: messageErrorOf(refused) })
}

/** Sends a test message at the pace of the account, ahead of bulk messages because a member waits for it. */
export const sendTestMessage = Effect.fnUntraced(function* (
  to: PhoneNumber,
  template: FilledTemplate,
  { line, sending }: SendContext,
  pace: PaceControl
): Effect.fn.Return<BroadcastTestResult, never, Ids> {
  const message: OutgoingMessage = {
    to: { kind: "phone", value: to },
    content: { kind: "template", template },
    replyTo: null,
    reference: yield* (yield* Ids).next
  }
  yield* pace.take("person")
  const exit = yield* Effect.exit(sending.send(line, message))
  if (Exit.isSuccess(exit)) return { to, status: "sent", error: null }
  const error = Option.getOrNull(Cause.findErrorOption(exit.cause))
  if (error === null || error._tag === "ChannelInDoubt") return { to, status: "in_doubt", error: null }
  if (error._tag === "ChannelRefused" && error.remedy === "slow_down") yield* pace.slowDown
  return toFailedTestResult(error)(to)
})
