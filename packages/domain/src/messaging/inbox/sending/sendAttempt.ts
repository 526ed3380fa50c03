import { Cause, DateTime, type Duration, Effect, Exit, Metric, Schedule } from "effect"
import { type ContactId, Contacts, storeReceivedContacts } from "../../../crm/index.ts"
import { isAway, outlast, transact } from "../../../kernel/index.ts"
import {
  type ChannelInDoubt,
  type ChannelRefused,
  type ChannelUnreachable,
  type ChatAccountId,
  DailyReach,
  isAboutAccount,
  markAccount,
  type Refusal,
  wantTemplates
} from "../../chat/index.ts"
import { type SendLease, SendQueue } from "../SendQueue.ts"
import { errorOf } from "../messageProgress.ts"
import { ContactResolver } from "../receiving/ContactResolver.ts"
import type { Pace } from "./AccountPaces.ts"
import type { SendSets } from "./SendSets.ts"
import { afterAnswer, afterSilence, rest, type Silence, waitFor } from "./backoff.ts"
import type { CannotSend } from "./messageContent.ts"
import { type NumberAwaited, prepare, type Prepared } from "./sendPreparation.ts"
import { type Sent, settleAll } from "./settlement.ts"

const optOut = Effect.fnUntraced(function* (id: ContactId, { at, reason }: Refusal) {
  const resolver = new ContactResolver(yield* (yield* Contacts).lock([id]), new Map(), yield* DateTime.now, () => "")
  resolver.recordConsent(id, { state: "unsubscribed", source: "chat_refusal", evidence: reason, at })
  yield* storeReceivedContacts(resolver.changes)
}, transact)

/** Applies a refusal beyond the message: to the account, to its templates, or to the contact's consent. */
export const applyRefusal = Effect.fnUntraced(function* (
  refusal: Refusal,
  chatAccountId: ChatAccountId,
  contactId: ContactId | null
) {
  if (isAboutAccount(refusal)) yield* markAccount(chatAccountId, refusal)
  if (refusal.remedy === "refresh_template") yield* transact(wantTemplates([chatAccountId]))
  if (refusal.remedy === "opt_out" && contactId !== null) yield* Effect.orDie(optOut(contactId, refusal))
})

const outcomes = Metric.counter("parley_sends_total", {
  description: "What came of messages that were sent, by our code and the provider's where they failed",
  incremental: true
})

const attributesOf = (sent: Sent): Readonly<Record<string, string>> =>
  sent.kind === "failed"
    ? { outcome: "failed", code: sent.error.code, provider_code: String(sent.error.providerCode ?? "none") }
    : { outcome: sent.kind, code: "none", provider_code: "none" }

/** Counts what came of a message that was sent. */
const countOutcome = (sent: Sent) => Metric.update(Metric.withAttributes(outcomes, attributesOf(sent)), 1)

/** What is known of a call must not be lost to a hiccup of the store, nor to an outage that is soon over. */
const surely = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  outlast(effect).pipe(
    Effect.sandbox,
    Effect.retry({ schedule: Schedule.exponential("100 millis"), times: 5 }),
    Effect.catch((cause) => Effect.failCause(cause))
  )

/** What all that is sent over an account at the same time share. */
export interface SendingOver {
  readonly pace: Pace
  readonly sets: SendSets
  readonly silence: Silence
}

const settleSurely = (lease: SendLease, sent: Sent, { sets }: SendingOver) => {
  const settlement = { lease, sent }
  // What a set could not store is stored alone, whatever is wrong with others of it.
  const alone = surely(settleAll(lease.chatAccountId, [settlement]))
  return Effect.andThen(
    Effect.catchCause(sets.settle(settlement), () => alone),
    countOutcome(sent)
  )
}

const postpone = Effect.fnUntraced(function* (lease: SendLease, wait: Duration.Duration) {
  const queue = yield* SendQueue
  yield* surely(queue.postpone(lease, DateTime.addDuration(yield* DateTime.now, wait)))
})

const unreachable = {
  remedy: "retry" as const,
  code: null,
  reason: "The chat provider could not be reached.",
  retryAfterMillis: null
}

/** It was certainly not sent: it is tried again where that may help. `at` is when the right that was refused was read. */
const afterRefusal = Effect.fnUntraced(function* (
  lease: SendLease,
  failure: ChannelRefused | ChannelUnreachable,
  prepared: Prepared | null,
  at: DateTime.Utc,
  over: SendingOver
) {
  const refusal = failure._tag === "ChannelRefused" ? failure : unreachable
  const wait = yield* waitFor(refusal.remedy, lease.attempts, refusal.retryAfterMillis)
  if (wait !== null) {
    yield* postpone(lease, wait)
    if (refusal.remedy !== "slow_down") return undefined
    yield* over.pace.slowDown
    return yield* rest(lease, wait)
  }
  if (failure._tag === "ChannelRefused") {
    const { code, reason, remedy } = failure
    yield* applyRefusal({ code, reason, remedy, at }, lease.chatAccountId, prepared?.contactId ?? null)
  }
  const error = { ...errorOf({ ...refusal, code: refusal.code ?? 0 }), providerCode: refusal.code }
  return yield* settleSurely(lease, { kind: "failed", error }, over)
})

const giveBack = Effect.fnUntraced(function* (lease: SendLease) {
  const queue = yield* SendQueue
  yield* Effect.flatMap(DateTime.now, (now) => queue.giveBack(lease, now))
})

/** Nothing was sent, and it is our fault: it is tried again, but not forever. That the storage was away does not count. */
const afterDeath = Effect.fnUntraced(function* (lease: SendLease, cause: Cause.Cause<unknown>, over: SendingOver) {
  if (isAway(cause)) return yield* surely(giveBack(lease))
  yield* Effect.logError(`The message ${lease.messageId} could not be made ready at attempt ${lease.attempts}`, cause)
  const wait = yield* waitFor("retry", lease.attempts, null)
  if (wait !== null) return yield* postpone(lease, wait)
  const reason = "The message could not be sent because of a fault on our side."
  return yield* settleSurely(lease, { kind: "failed", error: { code: "fault", providerCode: null, reason } }, over)
})

const afterFailure = Effect.fnUntraced(function* (
  lease: SendLease,
  error: CannotSend | NumberAwaited | ChannelRefused | ChannelUnreachable,
  at: DateTime.Utc,
  over: SendingOver
) {
  if (error._tag === "NumberAwaited") return void (yield* (yield* SendQueue).giveBack(lease, error.until))
  if (error._tag === "CannotSend") return yield* settleSurely(lease, { kind: "failed", error: error.error }, over)
  return yield* afterRefusal(lease, error, null, at, over)
})

/** Stores that the provider is called from now on, and that somebody is written to by that, where that counts. */
const begin = Effect.fnUntraced(function* (
  lease: SendLease,
  { reaching }: Prepared,
  now: DateTime.Utc,
  { sets }: SendingOver
) {
  if (reaching === null) return yield* sets.begin(lease)
  const queue = yield* SendQueue
  const { business, recipient } = reaching
  const reach = yield* DailyReach
  return yield* transact(
    Effect.gen(function* () {
      const [begun] = yield* queue.beginAll([lease])
      // People may use the whole limit; that it is used up is for the provider to say.
      if (begun !== undefined) yield* reach.reach(business, [recipient], { now, most: null })
      return begun ?? null
    })
  )
})

/** Nobody was written to after all. */
const takeBack = Effect.fnUntraced(function* ({ reaching }: Prepared, calledAt: DateTime.Utc) {
  if (reaching === null) return
  const { business, recipient } = reaching
  const reach = yield* DailyReach
  yield* surely(transact(reach.takeBack(business, [recipient], calledAt)))
})

const afterCall = Effect.fnUntraced(function* (
  lease: SendLease,
  prepared: Prepared,
  { at, calledAt }: { readonly at: DateTime.Utc; readonly calledAt: DateTime.Utc },
  exit: Exit.Exit<{ readonly providerMessageId: string }, ChannelRefused | ChannelUnreachable | ChannelInDoubt>,
  over: SendingOver
) {
  if (Exit.isSuccess(exit)) {
    yield* settleSurely(lease, { kind: "sent", providerMessageId: exit.value.providerMessageId }, over)
    yield* afterAnswer(lease, over.silence)
    return "answered" as const
  }
  const error = Cause.findErrorOption(exit.cause)
  if (error._tag === "None" || error.value._tag === "ChannelInDoubt") {
    yield* settleSurely(lease, { kind: "in_doubt" }, over)
    yield* afterSilence(lease, over.silence)
    return undefined
  }
  yield* takeBack(prepared, calledAt)
  yield* afterRefusal(lease, error.value, prepared, at, over)
  const remedy = error.value._tag === "ChannelRefused" ? error.value.remedy : unreachable.remedy
  if (remedy === "retry") yield* afterSilence(lease, over.silence)
  // What is too fast rests by what was said, and not any shorter.
  else if (remedy !== "slow_down") yield* afterAnswer(lease, over.silence)
  return undefined
})

/** The message, once the account may send it. */
const readyToCall = Effect.fnUntraced(function* (lease: SendLease, { pace, sets }: SendingOver) {
  const prepared = yield* prepare(lease, yield* sets.read(lease))
  if (prepared === null) return null
  yield* pace.allow(prepared.throughputPerSecond)
  yield* pace.take("person")
  return prepared
})

/**
 * Sends one message. From the moment the provider may know of it, it is not interrupted; whoever finds that an earlier call
 * has begun and not ended says that it is in doubt, and never calls again.
 */
export const send = (lease: SendLease, over: SendingOver) =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      if (lease.interrupted) return void (yield* settleSurely(lease, { kind: "in_doubt" }, over))
      const at = yield* DateTime.now
      const ready = yield* Effect.exit(restore(readyToCall(lease, over)))
      if (Exit.isFailure(ready)) {
        if (Cause.hasInterrupts(ready.cause)) return yield* Effect.interrupt
        const error = Cause.findErrorOption(ready.cause)
        return yield* error._tag === "None"
          ? afterDeath(lease, ready.cause, over)
          : afterFailure(lease, error.value, at, over)
      }
      if (ready.value === null) return yield* settleSurely(lease, { kind: "over" }, over)
      const calledAt = yield* DateTime.now
      const begun = yield* Effect.exit(begin(lease, ready.value, calledAt, over))
      // Whether it is kept or not that a call begins: none has been made.
      if (Exit.isFailure(begun)) return yield* afterDeath(lease, begun.cause, over)
      if (begun.value === null) return undefined
      const exit = yield* Effect.exit(ready.value.call)
      return yield* afterCall(begun.value, ready.value, { at, calledAt }, exit, over)
    })
  ).pipe(
    Effect.catchCauseIf(
      (cause) => !Cause.hasInterrupts(cause),
      (cause) => Effect.logError(`What came of the message ${lease.messageId} could not be kept`, cause)
    )
  )
