import { Cause, DateTime, Effect, Exit, Metric, Schedule } from "effect"
import { type ContactId, Contacts, identityLookupKey, saveReceivedContacts } from "../../../crm/index.ts"
import { isStorageUnavailable, retryThroughOutage, transact } from "../../../kernel/index.ts"
import {
  type ChannelInDoubt,
  type ChannelRefused,
  type ChannelUnreachable,
  type ChatAccountId,
  DailyRecipients,
  isAboutAccount,
  updateAccountStatus,
  type ProviderRefusal,
  requestTemplateSync
} from "../../chat/index.ts"
import { type SendLease, SendQueue } from "../SendQueue.ts"
import type { MediaUnavailable } from "../errors.ts"
import { toMessageError } from "../messageProgress.ts"
import { ContactResolver } from "../receiving/ContactResolver.ts"
import type { PaceControl } from "./AccountPaces.ts"
import type { SendBatches } from "./SendBatches.ts"
import {
  recordAnsweredCall,
  recordUnansweredCall,
  backOffAccount,
  type UnansweredCalls,
  sendRetryDelay
} from "./backoff.ts"
import type { CannotSend } from "./messageContent.ts"
import { type Accepted, learnRecipient } from "./recipientLearning.ts"
import { type AccountRemoved, prepare, type PreparedMessage } from "./sendPreparation.ts"
import { type SendResult, settleAll } from "./settlement.ts"
import { recipientWait, showWait } from "./shownWaits.ts"

const recordOptOut = Effect.fnUntraced(function* (id: ContactId, { at, reason }: ProviderRefusal) {
  const resolver = new ContactResolver(yield* (yield* Contacts).lock([id]), new Map(), yield* DateTime.now, () => "")
  resolver.recordConsent(id, { state: "unsubscribed", source: "chat_refusal", evidence: reason, at })
  yield* saveReceivedContacts(resolver.changes)
}, transact)

/** Applies a refusal beyond the message: to the account, to its templates, or to the contact's consent. */
export const applyRefusal = Effect.fnUntraced(function* (
  refusal: ProviderRefusal,
  chatAccountId: ChatAccountId,
  contactId: ContactId | null
) {
  if (isAboutAccount(refusal)) yield* updateAccountStatus(chatAccountId, refusal)
  if (refusal.remedy === "refresh_template") yield* transact(requestTemplateSync([chatAccountId]))
  if (refusal.remedy === "opt_out" && contactId !== null) yield* Effect.orDie(recordOptOut(contactId, refusal))
})

const sendOutcomes = Metric.counter("parley_message_sends_total", {
  description: "Results of sent messages; for failures with the error code and the code of the provider",
  incremental: true
})

const metricAttributes = (sent: SendResult): Readonly<Record<string, string>> =>
  sent.kind === "failed"
    ? { outcome: "failed", code: sent.error.code, provider_code: String(sent.error.providerCode ?? "none") }
    : { outcome: sent.kind, code: "none", provider_code: "none" }

/** Counts the results of sent messages. */
const countSendOutcome = (sent: SendResult) =>
  Metric.update(Metric.withAttributes(sendOutcomes, metricAttributes(sent)), 1)

/** Retries because the result of a call must survive short failures and short outages of the storage. */
const withReliableRetry = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  retryThroughOutage(effect).pipe(
    Effect.sandbox,
    Effect.retry({ schedule: Schedule.exponential("100 millis"), times: 5 }),
    Effect.catch((cause) => Effect.failCause(cause))
  )

/** State that concurrent sends over an account share. */
export interface SharedSendState {
  readonly pace: PaceControl
  readonly sets: SendBatches
  readonly silence: UnansweredCalls
}

const settleReliably = (lease: SendLease, sent: SendResult, { sets }: SharedSendState) => {
  const settlement = { lease, sent }
  // Stores a settlement alone after its batch failed, because another item may have caused the failure.
  const alone = withReliableRetry(settleAll(lease.chatAccountId, [settlement]))
  return Effect.andThen(
    Effect.catchCause(sets.settle(settlement), () => alone),
    countSendOutcome(sent)
  )
}

const postpone = Effect.fnUntraced(function* (lease: SendLease, until: DateTime.Utc) {
  const queue = yield* SendQueue
  yield* withReliableRetry(queue.postpone(lease, until))
})

/** The provider is not involved: the link, or the service that keeps the file, does not answer. */
const unavailableFile = {
  remedy: "retry" as const,
  code: null,
  reason: "The file of the message could not be loaded. Check the address of its link.",
  retryAfterMillis: null
}

const unreachableRefusal = {
  remedy: "retry" as const,
  code: null,
  reason: "The chat provider is not reachable.",
  retryAfterMillis: null
}

const unansweredRefusals = { ChannelUnreachable: unreachableRefusal, MediaUnavailable: unavailableFile }

/** Retries a message that was certainly not sent, where a retry may help. `at` is when the refused credentials were read. */
const handleRefusal = Effect.fnUntraced(function* (
  lease: SendLease,
  failure: ChannelRefused | ChannelUnreachable | MediaUnavailable,
  prepared: PreparedMessage | null,
  at: DateTime.Utc,
  over: SharedSendState
) {
  const refusal = failure._tag === "ChannelRefused" ? failure : unansweredRefusals[failure._tag]
  const wait = yield* sendRetryDelay(refusal.remedy, lease.attempts, refusal.retryAfterMillis)
  if (wait !== null) {
    const until = DateTime.addDuration(yield* DateTime.now, wait)
    yield* postpone(lease, until)
    if (refusal.remedy === "delay_recipient") yield* showWait(lease, recipientWait(refusal.code, until))
    if (refusal.remedy !== "slow_down") return undefined
    yield* over.pace.slowDown
    return yield* backOffAccount(lease, wait)
  }
  if (failure._tag === "ChannelRefused") {
    const { code, reason, remedy, scope } = failure
    yield* applyRefusal({ code, reason, remedy, scope, at }, lease.chatAccountId, prepared?.contactId ?? null)
  }
  const refused = { ...toMessageError({ ...refusal, code: refusal.code ?? 0 }), providerCode: refusal.code }
  const error = failure._tag === "MediaUnavailable" ? { ...refused, code: "media_missing" } : refused
  return yield* settleReliably(lease, { kind: "failed", error }, over)
})

const releaseLease = Effect.fnUntraced(function* (lease: SendLease) {
  const queue = yield* SendQueue
  yield* Effect.flatMap(DateTime.now, (now) => queue.giveBack(lease, now))
})

/** Retries after an internal error for a limited number of attempts. Nothing was sent. Unavailable storage does not count as an attempt. */
const handleDefect = Effect.fnUntraced(function* (
  lease: SendLease,
  cause: Cause.Cause<unknown>,
  over: SharedSendState
) {
  if (isStorageUnavailable(cause)) return yield* withReliableRetry(releaseLease(lease))
  yield* Effect.logError(`The message ${lease.messageId} could not be prepared in attempt ${lease.attempts}`, cause)
  const wait = yield* sendRetryDelay("retry", lease.attempts, null)
  if (wait !== null) return yield* postpone(lease, DateTime.addDuration(yield* DateTime.now, wait))
  const reason = "The message could not be sent because of an internal error."
  return yield* settleReliably(lease, { kind: "failed", error: { code: "fault", providerCode: null, reason } }, over)
})

const handleFailure = Effect.fnUntraced(function* (
  lease: SendLease,
  error: CannotSend | AccountRemoved | ChannelRefused | ChannelUnreachable | MediaUnavailable,
  at: DateTime.Utc,
  over: SharedSendState
) {
  if (error._tag === "NumberAwaited") return void (yield* (yield* SendQueue).giveBack(lease, error.until))
  if (error._tag === "CannotSend") return yield* settleReliably(lease, { kind: "failed", error: error.error }, over)
  return yield* handleRefusal(lease, error, null, at, over)
})

/** Stores that the provider call starts now, and counts the recipient for the daily limit where one applies. */
const startCall = Effect.fnUntraced(function* (
  lease: SendLease,
  { reaching }: PreparedMessage,
  now: DateTime.Utc,
  { sets }: SharedSendState
) {
  if (reaching === null) return yield* sets.begin(lease)
  const queue = yield* SendQueue
  const { business, recipient } = reaching
  const reach = yield* DailyRecipients
  return yield* transact(
    Effect.gen(function* () {
      const [begun] = yield* queue.beginAll([lease])
      // People can use the whole limit. The provider decides when it is used up.
      if (begun !== undefined) yield* reach.reach(business, [recipient], { now, most: null })
      return begun ?? null
    })
  )
})

/** Removes the recipient from the daily limit, because no message was sent. */
const refundDailyRecipient = Effect.fnUntraced(function* ({ reaching }: PreparedMessage, calledAt: DateTime.Utc) {
  if (reaching === null) return
  const { business, recipient } = reaching
  const reach = yield* DailyRecipients
  yield* withReliableRetry(transact(reach.takeBack(business, [recipient], calledAt)))
})

const handleCallResult = Effect.fnUntraced(function* (
  lease: SendLease,
  prepared: PreparedMessage,
  { at, calledAt }: { readonly at: DateTime.Utc; readonly calledAt: DateTime.Utc },
  exit: Exit.Exit<Accepted, ChannelRefused | ChannelUnreachable | ChannelInDoubt>,
  over: SharedSendState
) {
  if (Exit.isSuccess(exit)) {
    const { providerMessageId, recipient = null } = exit.value
    yield* settleReliably(lease, { kind: "sent", providerMessageId }, over)
    if (recipient !== null) yield* learnRecipient(prepared, recipient)
    yield* recordAnsweredCall(lease, over.silence)
    return "answered" as const
  }
  const error = Cause.findErrorOption(exit.cause)
  if (error._tag === "None" || error.value._tag === "ChannelInDoubt") {
    yield* settleReliably(lease, { kind: "in_doubt" }, over)
    yield* recordUnansweredCall(lease, over.silence)
    return undefined
  }
  yield* refundDailyRecipient(prepared, calledAt)
  yield* handleRefusal(lease, error.value, prepared, at, over)
  const remedy = error.value._tag === "ChannelRefused" ? error.value.remedy : unreachableRefusal.remedy
  if (remedy === "retry") yield* recordUnansweredCall(lease, over.silence)
  // A rate refusal waits for the specified time, and not shorter.
  else if (remedy !== "slow_down") yield* recordAnsweredCall(lease, over.silence)
  return undefined
})

/** Prepares the message when the account can send it. */
const prepareCall = Effect.fnUntraced(function* (lease: SendLease, { pace, sets }: SharedSendState) {
  const prepared = yield* prepare(lease, yield* sets.read(lease))
  if (prepared === null) return null
  yield* pace.allow(prepared.throughputPerSecond)
  const { outgoing, pairLimit } = prepared
  const wait = pairLimit === null ? 0 : yield* pace.takePair(identityLookupKey(outgoing.to), pairLimit)
  if (wait > 0) return { ...prepared, wait }
  yield* pace.take("person")
  return { ...prepared, wait }
})

/** Holds back a message that the provider would refuse, because its recipient has received too many. The attempt does not count. */
const holdBack = Effect.fnUntraced(function* (lease: SendLease, wait: number) {
  const queue = yield* SendQueue
  const until = DateTime.add(yield* DateTime.now, { milliseconds: wait })
  yield* withReliableRetry(queue.giveBack(lease, until))
  yield* showWait(lease, recipientWait(null, until))
})

/**
 * Sends one message. It is uninterruptible from the moment that the provider may receive the message. If an earlier call started and did not end, the
 * message is in doubt and is never sent again.
 */
export const sendLeasedMessage = (lease: SendLease, over: SharedSendState) =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      if (lease.interrupted) return void (yield* settleReliably(lease, { kind: "in_doubt" }, over))
      const at = yield* DateTime.now
      const ready = yield* Effect.exit(restore(prepareCall(lease, over)))
      if (Exit.isFailure(ready)) {
        if (Cause.hasInterrupts(ready.cause)) return yield* Effect.interrupt
        const error = Cause.findErrorOption(ready.cause)
        return yield* error._tag === "None"
          ? handleDefect(lease, ready.cause, over)
          : handleFailure(lease, error.value, at, over)
      }
      if (ready.value === null) return yield* settleReliably(lease, { kind: "over" }, over)
      if (ready.value.wait > 0) return yield* holdBack(lease, ready.value.wait)
      const calledAt = yield* DateTime.now
      const begun = yield* Effect.exit(startCall(lease, ready.value, calledAt, over))
      // No call was made, whether the start was stored or not.
      if (Exit.isFailure(begun)) return yield* handleDefect(lease, begun.cause, over)
      if (begun.value === null) return undefined
      const exit = yield* Effect.exit(ready.value.call)
      return yield* handleCallResult(begun.value, ready.value, { at, calledAt }, exit, over)
    })
  ).pipe(
    Effect.catchCauseIf(
      (cause) => !Cause.hasInterrupts(cause),
      (cause) => Effect.logError(`The result of the message ${lease.messageId} could not be stored`, cause)
    )
  )
