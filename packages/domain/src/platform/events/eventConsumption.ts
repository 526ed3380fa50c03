import { Cause, DateTime, Duration, Effect, Exit } from "effect"
import { CurrentActor, isStorageUnavailable, transact, describeError } from "../../kernel/index.ts"
import { EventLog } from "./EventLog.ts"
import type { HandlerContext, EventConsumer } from "./EventConsumer.ts"
import { type IdleCursor, EventConsumerDirectory, type EventCursor, EventCursors } from "./EventCursors.ts"

/** Duration of a turn of an event consumer in one organization. */
const turnDuration = Duration.seconds(3)

const maxAttempts = 8

/** One second after the first failure, a minute after the second to last. A longer problem needs an operator. */
const retryDelay = (attempts: number) => Duration.seconds(2 ** (attempts - 1))

/** Number of irrelevant events before an idle cursor is moved. It avoids a write at each poll. */
const idleAdvanceThreshold = 500

/** Delay while another process holds the cursor. That process may have missed the latest event. */
const lockRetryDelay = Duration.millis(250)

/** The end of the process and a storage outage are not failures of an event. */
const isProcessEnding = (cause: Cause.Cause<unknown>) => Cause.hasInterrupts(cause) || isStorageUnavailable(cause)

const toInterruptOrDie = (cause: Cause.Cause<unknown>): Cause.Cause<never> =>
  Cause.hasInterrupts(cause) ? Cause.interrupt() : Cause.die(Cause.squash(cause))

/** Reason in a form that can be stored, because the message of an error can repeat texts of the event. */
const failureReason = (cause: Cause.Cause<unknown>): string =>
  describeError(Cause.squash(cause)).replaceAll("\0", "").slice(0, 1_000).toWellFormed() || "Failed without a reason."

const loadCursor = Effect.fnUntraced(function* (consumer: EventConsumer<HandlerContext>) {
  const [cursor] = yield* (yield* EventCursors).list([consumer])
  return cursor ?? (yield* Effect.die(new Error(`The event consumer ${consumer.name} is unknown.`)))
})

/** Sets the start position of the event consumer. In an organization younger than the event consumer, it starts at the first event. */
const startConsumer = Effect.fnUntraced(function* ({ beginsWith, name }: EventConsumer<HandlerContext>) {
  if (beginsWith === "first_event") return yield* (yield* EventCursors).begin(name, null)
  const [known] = yield* (yield* EventConsumerDirectory).add([name], yield* DateTime.now)
  yield* (yield* EventCursors).begin(name, known?.since ?? null)
}, transact)

/**
 * Handles the events after the cursor and moves the cursor in one unit of work. After a failure of the next event, it handles only that event.
 * `taken`: another process holds the cursor.
 */
const handleNextBatch = Effect.fnUntraced(function* (consumer: EventConsumer<HandlerContext>, most: number) {
  const cursors = yield* EventCursors
  const log = yield* EventLog
  const cursor = yield* cursors.lock(consumer.name)
  if (cursor === null) return "taken"
  const limit = cursor.attempts > 0 ? 1 : most
  const head = yield* log.head()
  const events = yield* log.list(consumer.types, { after: [String(cursor.position)], limit })
  const handled = events.length === 0 ? "done" : yield* consumer.handle(events)
  if (handled === "more") return "more"
  if (typeof handled === "object") {
    yield* cursors.advance(consumer.name, handled.upTo)
    return "more"
  }
  const last = events.at(-1)?.position ?? 0
  if (handled === "nobody") {
    yield* cursors.advance(consumer.name, Math.max(head, last))
    yield* cursors.rest(consumer.name)
    return "done"
  }
  const isFull = events.length === limit
  yield* cursors.advance(consumer.name, isFull ? last : Math.max(head, last))
  return isFull ? "more" : "done"
}, transact)

/** Records a failure of the next event. The event is retried later, and blocks the events after it until it is parked. */
const recordFailure = Effect.fnUntraced(function* (
  consumer: EventConsumer<HandlerContext>,
  cause: Cause.Cause<unknown>
) {
  const { attempts: before, next, position: after } = yield* loadCursor(consumer)
  if (next === null || after === null) return
  const cursors = yield* EventCursors
  const now = yield* DateTime.now
  const failed = { after, position: next.position, attempts: before + 1, reason: failureReason(cause) }
  const isLast = failed.attempts >= maxAttempts
  yield* Effect.logWarning(
    `${consumer.name} could not handle the event ${next.position} at attempt ${failed.attempts}${isLast ? "; it is parked" : ""}`,
    cause
  )
  yield* transact(
    isLast
      ? cursors.park(consumer.name, failed, now)
      : cursors.retry(consumer.name, failed, DateTime.addDuration(now, retryDelay(failed.attempts)))
  )
})

const handleParkedEvent = Effect.fnUntraced(function* (consumer: EventConsumer<HandlerContext>, position: number) {
  const cursors = yield* EventCursors
  if (!(yield* cursors.lockReplay(consumer.name, position))) return "taken"
  const events = yield* (yield* EventLog).list(consumer.types, { after: [String(position - 1)], limit: 1 })
  const event = events.filter((each) => each.position === position)
  if (event.length > 0 && (yield* consumer.handle(event)) === "more") return "more"
  yield* Effect.ignore(cursors.unpark(consumer.name, position))
  return "done"
}, transact)

/** Replays the parked events that operators have selected. An event that fails again stays parked. */
const replayParked = Effect.fnUntraced(function* (
  consumer: EventConsumer<HandlerContext>,
  isPast: Effect.Effect<boolean>
) {
  while (true) {
    const { replay: position } = yield* loadCursor(consumer)
    if (position === null || (yield* isPast)) return
    const exit = yield* Effect.exit(handleParkedEvent(consumer, position))
    if (Exit.isSuccess(exit)) {
      if (exit.value === "taken") return
      continue
    }
    if (isProcessEnding(exit.cause)) return yield* Effect.failCause(toInterruptOrDie(exit.cause))
    yield* Effect.logWarning(`${consumer.name} could not handle the parked event ${position}`, exit.cause)
    yield* transact((yield* EventCursors).replayFailed(consumer.name, position, failureReason(exit.cause)))
  }
})

/** Whether there is work: an event to handle, or enough irrelevant events to move the cursor. */
export const hasPendingEvents = ({ head, next, position, replay }: EventCursor) =>
  replay !== null || next !== null || position === null || head - position >= idleAdvanceThreshold

/** Selects the cursor of a lagging event consumer without relevant events in the rest of the log. */
export const toIdleCursors = ({ head, next, position, replay, consumer }: EventCursor): ReadonlyArray<IdleCursor> =>
  next === null && replay === null && position !== null ? [{ consumer, position, head }] : []

/** Handles the events of a failed batch one by one up to the failing event. */
const consumeBatches = Effect.fnUntraced(function* (
  consumer: EventConsumer<HandlerContext>,
  isPast: Effect.Effect<boolean>
) {
  let oneByOne = 0
  while (true) {
    const most = oneByOne > 0 ? 1 : consumer.batch
    const exit = yield* Effect.exit(handleNextBatch(consumer, most))
    if (Exit.isSuccess(exit)) {
      if (exit.value !== "more") return exit.value
      if (oneByOne > 0) oneByOne -= 1
    } else {
      if (isProcessEnding(exit.cause)) return yield* Effect.failCause(toInterruptOrDie(exit.cause))
      const { attempts } = yield* loadCursor(consumer)
      if (most === 1 || attempts > 0) {
        yield* recordFailure(consumer, exit.cause)
        return "failed"
      }
      oneByOne = most
    }
    if (yield* isPast) return "more"
  }
})

/**
 * Runs the event consumer on this organization's log for one turn. It returns the time of the next check without new events. The unit of work that
 * handles an event also moves the cursor, so any number of processes may run concurrently.
 */
export const consumeLog = Effect.fnUntraced(
  function* (consumer: EventConsumer<HandlerContext>) {
    const started = yield* DateTime.now
    const end = DateTime.addDuration(started, turnDuration)
    const isPast = Effect.map(DateTime.now, (now) => DateTime.isGreaterThanOrEqualTo(now, end))
    const before = yield* loadCursor(consumer)
    if (before.position === null) yield* startConsumer(consumer)
    else if (!hasPendingEvents(before)) return null
    if (before.replay !== null) yield* replayParked(consumer, isPast)
    if (before.retryAt !== null && DateTime.isGreaterThan(before.retryAt, started)) return before.retryAt
    switch (yield* consumeBatches(consumer, isPast)) {
      case "done":
        return null
      case "more":
        return yield* DateTime.now
      case "taken":
        return DateTime.addDuration(yield* DateTime.now, lockRetryDelay)
      case "failed":
        return (yield* loadCursor(consumer)).retryAt ?? (yield* DateTime.now)
    }
  },
  (effect, { name }) => Effect.provideService(effect, CurrentActor, { kind: "system", name })
)
