import { Cause, DateTime, Duration, Effect, Exit } from "effect"
import { CurrentActor, isAway, transact, wordsOfFault } from "../../kernel/index.ts"
import { EventLog } from "./EventLog.ts"
import type { InHandler, Subscriber } from "./Subscriber.ts"
import { type IdleCursor, SubscriberDirectory, type Subscription, Subscriptions } from "./Subscriptions.ts"

/** For how long a subscriber works for one organization before another one's turn comes. */
const turn = Duration.seconds(3)

const mostAttempts = 8

/** A second after the first failure, a minute after the last but one: what ails an event for longer needs a person. */
const backOff = (attempts: number) => Duration.seconds(2 ** (attempts - 1))

/** How far the log goes on with what is not for a subscriber before its cursor follows: it is not written at each look. */
const stride = 500

/** When to look again where somebody else has the cursor: that one may have missed what was logged last. */
const whileTaken = Duration.millis(250)

/** Neither the end of the process nor a storage that is away says anything about an event. */
const endsTheWork = (cause: Cause.Cause<unknown>) => Cause.hasInterrupts(cause) || isAway(cause)

const orInterrupt = (cause: Cause.Cause<unknown>): Cause.Cause<never> =>
  Cause.hasInterrupts(cause) ? Cause.interrupt() : Cause.die(Cause.squash(cause))

const reasonOf = (cause: Cause.Cause<unknown>): string =>
  wordsOfFault(Cause.squash(cause)).slice(0, 1_000) || "It failed without a word."

const subscriptionOf = Effect.fnUntraced(function* (subscriber: Subscriber<InHandler>) {
  const [subscription] = yield* (yield* Subscriptions).list([subscriber])
  return subscription ?? (yield* Effect.die(new Error(`Nothing is known of ${subscriber.name}.`)))
})

/** Puts the cursor where the subscriber begins. An organization that is younger than the subscriber has it follow from the first event. */
const begin = Effect.fnUntraced(function* ({ beginsWith, name }: Subscriber<InHandler>) {
  if (beginsWith === "first_event") return yield* (yield* Subscriptions).begin(name, null)
  const [known] = yield* (yield* SubscriberDirectory).add([name], yield* DateTime.now)
  yield* (yield* Subscriptions).begin(name, known?.since ?? null)
}, transact)

/**
 * Handles what comes after the cursor, and moves it, in one unit of work. While the next event has failed before, that one
 * alone. `taken`: somebody else has the cursor.
 */
const handleNext = Effect.fnUntraced(function* (subscriber: Subscriber<InHandler>, most: number) {
  const subscriptions = yield* Subscriptions
  const log = yield* EventLog
  const cursor = yield* subscriptions.lock(subscriber.name)
  if (cursor === null) return "taken"
  const limit = cursor.attempts > 0 ? 1 : most
  const head = yield* log.head()
  const events = yield* log.list(subscriber.types, { after: [String(cursor.position)], limit })
  const handled = events.length === 0 ? "done" : yield* subscriber.handle(events)
  if (handled === "more") return "more"
  if (typeof handled === "object") {
    yield* subscriptions.advance(subscriber.name, handled.upTo)
    return "more"
  }
  const last = events.at(-1)?.position ?? 0
  if (handled === "nobody") {
    yield* subscriptions.advance(subscriber.name, Math.max(head, last))
    yield* subscriptions.rest(subscriber.name)
    return "done"
  }
  const isFull = events.length === limit
  yield* subscriptions.advance(subscriber.name, isFull ? last : Math.max(head, last))
  return isFull ? "more" : "done"
}, transact)

/** Keeps that the next event failed: it is tried again later, and holds back the ones after it until it is parked. */
const noteFailure = Effect.fnUntraced(function* (subscriber: Subscriber<InHandler>, cause: Cause.Cause<unknown>) {
  const { attempts: before, next, position: after } = yield* subscriptionOf(subscriber)
  if (next === null || after === null) return
  const subscriptions = yield* Subscriptions
  const now = yield* DateTime.now
  const failed = { after, position: next.position, attempts: before + 1, reason: reasonOf(cause) }
  const isLast = failed.attempts >= mostAttempts
  yield* Effect.logWarning(
    `${subscriber.name} could not handle the event ${next.position} at attempt ${failed.attempts}${isLast ? "; it is parked" : ""}`,
    cause
  )
  yield* transact(
    isLast
      ? subscriptions.park(subscriber.name, failed, now)
      : subscriptions.retry(subscriber.name, failed, DateTime.addDuration(now, backOff(failed.attempts)))
  )
})

const handleParked = Effect.fnUntraced(function* (subscriber: Subscriber<InHandler>, position: number) {
  const subscriptions = yield* Subscriptions
  if (!(yield* subscriptions.lockReplay(subscriber.name, position))) return "taken"
  const events = yield* (yield* EventLog).list(subscriber.types, { after: [String(position - 1)], limit: 1 })
  const event = events.filter((each) => each.position === position)
  if (event.length > 0 && (yield* subscriber.handle(event)) === "more") return "more"
  yield* Effect.ignore(subscriptions.unpark(subscriber.name, position))
  return "done"
}, transact)

/** Handles once more what operators want to be; what fails again stays parked. */
const replay = Effect.fnUntraced(function* (subscriber: Subscriber<InHandler>, isPast: Effect.Effect<boolean>) {
  while (true) {
    const { replay: position } = yield* subscriptionOf(subscriber)
    if (position === null || (yield* isPast)) return
    const exit = yield* Effect.exit(handleParked(subscriber, position))
    if (Exit.isSuccess(exit)) {
      if (exit.value === "taken") return
      continue
    }
    if (endsTheWork(exit.cause)) return yield* Effect.failCause(orInterrupt(exit.cause))
    yield* Effect.logWarning(`${subscriber.name} could not handle the parked event ${position}`, exit.cause)
    yield* transact((yield* Subscriptions).replayFailed(subscriber.name, position, reasonOf(exit.cause)))
  }
})

/** Whether there is something to do: an event to handle, or so many that are not for the subscriber that the cursor has to follow. */
export const isBehind = ({ head, next, position, replay }: Subscription) =>
  replay !== null || next !== null || position === null || head - position >= stride

/** The cursor of a subscriber that is behind, where there is nothing for it in all that was logged since. */
export const idleCursor = ({ head, next, position, replay, subscriber }: Subscription): ReadonlyArray<IdleCursor> =>
  next === null && replay === null && position !== null ? [{ subscriber, position, head }] : []

/** A batch that fails is handled one by one, as far as it goes: what made it fail is among them. */
const work = Effect.fnUntraced(function* (subscriber: Subscriber<InHandler>, isPast: Effect.Effect<boolean>) {
  let oneByOne = 0
  while (true) {
    const most = oneByOne > 0 ? 1 : subscriber.batch
    const exit = yield* Effect.exit(handleNext(subscriber, most))
    if (Exit.isSuccess(exit)) {
      if (exit.value !== "more") return exit.value
      if (oneByOne > 0) oneByOne -= 1
    } else {
      if (endsTheWork(exit.cause)) return yield* Effect.failCause(orInterrupt(exit.cause))
      const { attempts } = yield* subscriptionOf(subscriber)
      if (most === 1 || attempts > 0) {
        yield* noteFailure(subscriber, exit.cause)
        return "failed"
      }
      oneByOne = most
    }
    if (yield* isPast) return "more"
  }
})

/**
 * Has the subscriber follow the log of this organization, for a while; says when to look again if nothing is logged until
 * then. Each event is handled in the unit of work that moves the cursor past it, so any number of processes may do so at once.
 */
export const followLog = Effect.fnUntraced(
  function* (subscriber: Subscriber<InHandler>) {
    const started = yield* DateTime.now
    const end = DateTime.addDuration(started, turn)
    const isPast = Effect.map(DateTime.now, (now) => DateTime.isGreaterThanOrEqualTo(now, end))
    const before = yield* subscriptionOf(subscriber)
    if (before.position === null) yield* begin(subscriber)
    else if (!isBehind(before)) return null
    if (before.replay !== null) yield* replay(subscriber, isPast)
    if (before.retryAt !== null && DateTime.isGreaterThan(before.retryAt, started)) return before.retryAt
    switch (yield* work(subscriber, isPast)) {
      case "done":
        return null
      case "more":
        return yield* DateTime.now
      case "taken":
        return DateTime.addDuration(yield* DateTime.now, whileTaken)
      case "failed":
        return (yield* subscriptionOf(subscriber)).retryAt ?? (yield* DateTime.now)
    }
  },
  (effect, { name }) => Effect.provideService(effect, CurrentActor, { kind: "system", name })
)
