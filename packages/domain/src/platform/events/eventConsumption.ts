import { Cause, DateTime, Duration, Effect, Exit } from "effect"
import { CurrentActor, isStorageUnavailable, transact, describeError } from "../../kernel/index.ts"
import { EventLog } from "./EventLog.ts"
import type { HandlerContext, EventConsumer } from "./EventConsumer.ts"
import { type IdleCursor, EventConsumerDirectory, type EventCursor, EventCursors } from "./EventCursors.ts"

/** For how long a subscriber works for one organization before another one's turn comes. */
const turnDuration = Duration.seconds(3)

const maxAttempts = 8

/** A second after the first failure, a minute after the last but one: what ails an event for longer needs a person. */
const retryDelay = (attempts: number) => Duration.seconds(2 ** (attempts - 1))

/** How far the log goes on with what is not for a subscriber before its cursor follows: it is not written at each look. */
const idleAdvanceThreshold = 500

/** When to look again where somebody else has the cursor: that one may have missed what was logged last. */
const lockRetryDelay = Duration.millis(250)

/** Neither the end of the process nor a storage that is away says anything about an event. */
const isProcessEnding = (cause: Cause.Cause<unknown>) => Cause.hasInterrupts(cause) || isStorageUnavailable(cause)

const toInterruptOrDie = (cause: Cause.Cause<unknown>): Cause.Cause<never> =>
  Cause.hasInterrupts(cause) ? Cause.interrupt() : Cause.die(Cause.squash(cause))

const failureReason = (cause: Cause.Cause<unknown>): string =>
  describeError(Cause.squash(cause)).slice(0, 1_000) || "It failed without a word."

const loadCursor = Effect.fnUntraced(function* (subscriber: EventConsumer<HandlerContext>) {
  const [subscription] = yield* (yield* EventCursors).list([subscriber])
  return subscription ?? (yield* Effect.die(new Error(`Nothing is known of ${subscriber.name}.`)))
})

/** Puts the cursor where the subscriber begins. An organization that is younger than the subscriber has it follow from the first event. */
const startConsumer = Effect.fnUntraced(function* ({ beginsWith, name }: EventConsumer<HandlerContext>) {
  if (beginsWith === "first_event") return yield* (yield* EventCursors).begin(name, null)
  const [known] = yield* (yield* EventConsumerDirectory).add([name], yield* DateTime.now)
  yield* (yield* EventCursors).begin(name, known?.since ?? null)
}, transact)

/**
 * Handles what comes after the cursor, and moves it, in one unit of work. While the next event has failed before, that one
 * alone. `taken`: somebody else has the cursor.
 */
const handleNextBatch = Effect.fnUntraced(function* (subscriber: EventConsumer<HandlerContext>, most: number) {
  const subscriptions = yield* EventCursors
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
const recordFailure = Effect.fnUntraced(function* (
  subscriber: EventConsumer<HandlerContext>,
  cause: Cause.Cause<unknown>
) {
  const { attempts: before, next, position: after } = yield* loadCursor(subscriber)
  if (next === null || after === null) return
  const subscriptions = yield* EventCursors
  const now = yield* DateTime.now
  const failed = { after, position: next.position, attempts: before + 1, reason: failureReason(cause) }
  const isLast = failed.attempts >= maxAttempts
  yield* Effect.logWarning(
    `${subscriber.name} could not handle the event ${next.position} at attempt ${failed.attempts}${isLast ? "; it is parked" : ""}`,
    cause
  )
  yield* transact(
    isLast
      ? subscriptions.park(subscriber.name, failed, now)
      : subscriptions.retry(subscriber.name, failed, DateTime.addDuration(now, retryDelay(failed.attempts)))
  )
})

const handleParkedEvent = Effect.fnUntraced(function* (subscriber: EventConsumer<HandlerContext>, position: number) {
  const subscriptions = yield* EventCursors
  if (!(yield* subscriptions.lockReplay(subscriber.name, position))) return "taken"
  const events = yield* (yield* EventLog).list(subscriber.types, { after: [String(position - 1)], limit: 1 })
  const event = events.filter((each) => each.position === position)
  if (event.length > 0 && (yield* subscriber.handle(event)) === "more") return "more"
  yield* Effect.ignore(subscriptions.unpark(subscriber.name, position))
  return "done"
}, transact)

/** Handles once more what operators want to be; what fails again stays parked. */
const replayParked = Effect.fnUntraced(function* (
  subscriber: EventConsumer<HandlerContext>,
  isPast: Effect.Effect<boolean>
) {
  while (true) {
    const { replay: position } = yield* loadCursor(subscriber)
    if (position === null || (yield* isPast)) return
    const exit = yield* Effect.exit(handleParkedEvent(subscriber, position))
    if (Exit.isSuccess(exit)) {
      if (exit.value === "taken") return
      continue
    }
    if (isProcessEnding(exit.cause)) return yield* Effect.failCause(toInterruptOrDie(exit.cause))
    yield* Effect.logWarning(`${subscriber.name} could not handle the parked event ${position}`, exit.cause)
    yield* transact((yield* EventCursors).replayFailed(subscriber.name, position, failureReason(exit.cause)))
  }
})

/** Whether there is something to do: an event to handle, or so many that are not for the subscriber that the cursor has to follow. */
export const hasPendingEvents = ({ head, next, position, replay }: EventCursor) =>
  replay !== null || next !== null || position === null || head - position >= idleAdvanceThreshold

/** The cursor of a subscriber that is behind, where there is nothing for it in all that was logged since. */
export const toIdleCursors = ({ head, next, position, replay, subscriber }: EventCursor): ReadonlyArray<IdleCursor> =>
  next === null && replay === null && position !== null ? [{ subscriber, position, head }] : []

/** A batch that fails is handled one by one, as far as it goes: what made it fail is among them. */
const consumeBatches = Effect.fnUntraced(function* (
  subscriber: EventConsumer<HandlerContext>,
  isPast: Effect.Effect<boolean>
) {
  let oneByOne = 0
  while (true) {
    const most = oneByOne > 0 ? 1 : subscriber.batch
    const exit = yield* Effect.exit(handleNextBatch(subscriber, most))
    if (Exit.isSuccess(exit)) {
      if (exit.value !== "more") return exit.value
      if (oneByOne > 0) oneByOne -= 1
    } else {
      if (isProcessEnding(exit.cause)) return yield* Effect.failCause(toInterruptOrDie(exit.cause))
      const { attempts } = yield* loadCursor(subscriber)
      if (most === 1 || attempts > 0) {
        yield* recordFailure(subscriber, exit.cause)
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
export const consumeLog = Effect.fnUntraced(
  function* (subscriber: EventConsumer<HandlerContext>) {
    const started = yield* DateTime.now
    const end = DateTime.addDuration(started, turnDuration)
    const isPast = Effect.map(DateTime.now, (now) => DateTime.isGreaterThanOrEqualTo(now, end))
    const before = yield* loadCursor(subscriber)
    if (before.position === null) yield* startConsumer(subscriber)
    else if (!hasPendingEvents(before)) return null
    if (before.replay !== null) yield* replayParked(subscriber, isPast)
    if (before.retryAt !== null && DateTime.isGreaterThan(before.retryAt, started)) return before.retryAt
    switch (yield* consumeBatches(subscriber, isPast)) {
      case "done":
        return null
      case "more":
        return yield* DateTime.now
      case "taken":
        return DateTime.addDuration(yield* DateTime.now, lockRetryDelay)
      case "failed":
        return (yield* loadCursor(subscriber)).retryAt ?? (yield* DateTime.now)
    }
  },
  (effect, { name }) => Effect.provideService(effect, CurrentActor, { kind: "system", name })
)
