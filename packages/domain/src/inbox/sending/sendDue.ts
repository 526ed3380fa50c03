import { Cause, DateTime, Duration, Effect, Exit, Schedule } from "effect"
import { type ChannelInDoubt, type ChannelRefused, type ChannelUnreachable, ChatChannel } from "../../chat/index.ts"
import { type Actor, CurrentActor, CurrentOrganization, Ids } from "../../kernel/index.ts"
import { errorOf } from "../failures.ts"
import { heed } from "../refusals.ts"
import { type SendLease, SendQueue } from "../SendQueue.ts"
import type { CannotSend } from "./CannotSend.ts"
import { leaseDuration, mostAtOnce, signOfLifeEvery, waitFor } from "./limits.ts"
import { prepare, type Prepared } from "./prepare.ts"
import { type Sent, settle } from "./settle.ts"

const sender: Actor = { kind: "system", name: "chat" }

const leaseEnd = Effect.map(DateTime.now, (now) => DateTime.addDuration(now, leaseDuration))

/** Renews the lease as long as the effect takes. When it is lost, the effect goes on: it is `begin` that decides. */
const keeping =
  (lease: SendLease) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | SendQueue> => {
    const renew = Effect.gen(function* () {
      yield* (yield* SendQueue).renew(lease, yield* leaseEnd)
    })
    const signsOfLife = Effect.forever(Effect.delay(Effect.ignoreCause(renew), signOfLifeEvery))
    return Effect.raceFirst(effect, Effect.interruptible(signsOfLife))
  }

/** What is known of a call must not be lost to a hiccup of the store. */
const settleSurely = (lease: SendLease, sent: Sent) =>
  settle(lease, sent).pipe(
    Effect.sandbox,
    Effect.retry({ schedule: Schedule.exponential("100 millis"), times: 5 }),
    Effect.catch((cause) => Effect.failCause(cause))
  )

const postpone = Effect.fnUntraced(function* (lease: SendLease, wait: Duration.Duration) {
  yield* (yield* SendQueue).postpone(lease, DateTime.addDuration(yield* DateTime.now, wait))
})

const unreachable = {
  remedy: "retry" as const,
  code: null,
  reason: "The chat provider could not be reached.",
  retryAfterMillis: null
}

/** It was certainly not sent: it is tried again where that may help. */
const afterRefusal = Effect.fnUntraced(function* (
  lease: SendLease,
  failure: ChannelRefused | ChannelUnreachable,
  prepared: Prepared | null
) {
  const refusal = failure._tag === "ChannelRefused" ? failure : unreachable
  const wait = yield* waitFor(refusal.remedy, lease.attempts, refusal.retryAfterMillis)
  if (wait !== null) return yield* postpone(lease, wait)
  if (failure._tag === "ChannelRefused") {
    const { code, reason, remedy } = failure
    yield* heed({ code, reason, remedy, at: yield* DateTime.now }, lease.chatAccountId, prepared?.contactId ?? null)
  }
  const error = { ...errorOf({ ...refusal, code: refusal.code ?? 0 }), providerCode: refusal.code }
  return yield* settleSurely(lease, { kind: "failed", error })
})

/** Nothing was sent, and it is our fault: it is tried again, but not forever. */
const afterDeath = Effect.fnUntraced(function* (lease: SendLease, cause: Cause.Cause<unknown>) {
  yield* Effect.logError(`The message ${lease.messageId} could not be made ready at attempt ${lease.attempts}`, cause)
  const wait = yield* waitFor("retry", lease.attempts, null)
  if (wait !== null) return yield* postpone(lease, wait)
  const reason = "The message could not be sent because of a fault on our side."
  return yield* settleSurely(lease, {
    kind: "failed",
    error: { code: "fault", providerCode: null, reason }
  })
})

const afterFailure = (lease: SendLease, error: CannotSend | ChannelRefused | ChannelUnreachable) =>
  error._tag === "CannotSend"
    ? settleSurely(lease, { kind: "failed", error: error.error })
    : afterRefusal(lease, error, null)

const call = ({ line, outgoing }: Prepared) => Effect.flatMap(ChatChannel, (channel) => channel.send(line, outgoing))

const afterCall = (
  lease: SendLease,
  prepared: Prepared,
  exit: Exit.Exit<{ readonly providerMessageId: string }, ChannelRefused | ChannelUnreachable | ChannelInDoubt>
) => {
  if (Exit.isSuccess(exit)) {
    return settleSurely(lease, { kind: "sent", providerMessageId: exit.value.providerMessageId })
  }
  const error = Cause.findErrorOption(exit.cause)
  return error._tag === "None" || error.value._tag === "ChannelInDoubt"
    ? settleSurely(lease, { kind: "in_doubt" })
    : afterRefusal(lease, error.value, prepared)
}

/**
 * Sends one message. From the moment the provider may know of it, it is not interrupted; whoever finds that an earlier call
 * has begun and not ended says that it is in doubt, and never calls again.
 */
const send = (lease: SendLease) =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      if (lease.interrupted) return yield* settleSurely(lease, { kind: "in_doubt" })
      const ready = yield* Effect.exit(restore(keeping(lease)(prepare(lease))))
      if (Exit.isFailure(ready)) {
        if (Cause.hasInterrupts(ready.cause)) {
          yield* postpone(lease, Duration.zero)
          return yield* Effect.interrupt
        }
        const error = Cause.findErrorOption(ready.cause)
        return yield* error._tag === "None" ? afterDeath(lease, ready.cause) : afterFailure(lease, error.value)
      }
      if (ready.value === null) return yield* settleSurely(lease, { kind: "over" })
      if (!(yield* (yield* SendQueue).begin(lease, yield* leaseEnd))) return undefined
      const exit = yield* Effect.exit(keeping(lease)(call(ready.value)))
      return yield* afterCall(lease, ready.value, exit)
    })
  ).pipe(
    Effect.catchCauseIf(
      (cause) => !Cause.hasInterrupts(cause),
      (cause) => Effect.logError(`What came of the message ${lease.messageId} could not be kept`, cause)
    ),
    Effect.provideService(CurrentOrganization, { id: lease.organizationId }),
    Effect.provideService(CurrentActor, sender)
  )

const claim = Effect.gen(function* () {
  const now = yield* DateTime.now
  return yield* (yield* SendQueue).claim({
    sender: yield* (yield* Ids).next,
    now,
    until: DateTime.addDuration(now, leaseDuration),
    limit: mostAtOnce
  })
})

/** Sends some of the messages that wait, side by side; says whether there were any. */
export const sendSome = Effect.gen(function* () {
  const leases = yield* claim
  yield* Effect.forEach(leases, send, { concurrency: "unbounded", discard: true })
  return leases.length > 0
})

/** Sends messages until there is none that can be sent now. */
export const sendDue = Effect.repeat(sendSome, { while: (sent) => sent }).pipe(Effect.asVoid)
