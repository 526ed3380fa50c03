import { DateTime, Effect } from "effect"
import { StoreCarts } from "../../../commerce/index.ts"
import type { LoggedEvent } from "../../../platform/events/index.ts"
import type { SourceEvent } from "../triggers/Trigger.ts"
import { matchesTrigger, messageAuthor } from "../triggers/triggerEvents.ts"
import {
  type TimerKind,
  type TimerOwner,
  type TimerOwnerId,
  type TimerTriggers,
  scheduleTimerLane,
  type TriggerTimer,
  TriggerTimers
} from "./TriggerTimers.ts"

type LoggedSourceEvent = LoggedEvent<SourceEvent>

const saveTimers = Effect.fnUntraced(function* (kind: TimerKind, clocks: ReadonlyArray<TriggerTimer>) {
  const [first, ...others] = clocks
  if (first === undefined) return
  yield* (yield* TriggerTimers).set(clocks)
  yield* scheduleTimerLane(
    kind,
    others.reduce((earliest, { dueAt }) => DateTime.min(earliest, dueAt), first.dueAt)
  )
})

/** Sets timers from the last message of a person. Timers that wait for a message of the other side are stopped. */
const setIdleTimers = Effect.fnUntraced(function* (
  kind: TimerKind,
  logged: LoggedSourceEvent,
  owners: ReadonlyArray<TimerOwner>
) {
  const { at: since, event, position } = logged
  const by = messageAuthor(logged)
  if (by === null || !("conversationId" in event)) return
  const { conversationId: subjectId } = event
  const set: Array<TriggerTimer> = []
  const stopped: Array<TimerOwnerId> = []
  for (const { after, id: ownerId, when } of owners) {
    if (when.event !== "conversation.idle" || position <= after) continue
    const { lastFrom = "any", seconds } = when
    if (lastFrom !== "any" && lastFrom !== by) stopped.push(ownerId)
    else set.push({ kind, ownerId, subjectId, position, since, dueAt: DateTime.add(since, { seconds }) })
  }
  yield* (yield* TriggerTimers).stop(subjectId, stopped)
  yield* saveTimers(kind, set)
})

/** Sets timers from the last change of an abandoned cart. */
const setCartTimers = Effect.fnUntraced(function* (
  kind: TimerKind,
  { event, position }: LoggedSourceEvent,
  owners: ReadonlyArray<TimerOwner>
) {
  if (event.type !== "cart.abandoned") return
  const cart = yield* Effect.option((yield* StoreCarts).get(event.cartId))
  if (cart._tag === "None") return
  const since = cart.value.record.updatedAt
  yield* saveTimers(
    kind,
    owners.flatMap(({ after, id: ownerId, when }) =>
      when.event === "cart.abandoned" && position > after && matchesTrigger(when, event)
        ? [
            {
              kind,
              ownerId,
              subjectId: event.cartId,
              position,
              since,
              dueAt: DateTime.add(since, { seconds: when.seconds })
            }
          ]
        : []
    )
  )
})

/** Sets or restarts the timers that count from these events. */
export const setTimers = Effect.fnUntraced(function* <Owner extends TimerOwner, Held, Found, Begun>(
  { kind, on }: TimerTriggers<Owner, Held, Found, Begun>,
  events: ReadonlyArray<LoggedSourceEvent>
) {
  const written = events.filter((logged) => messageAuthor(logged) !== null)
  const idle = written.length === 0 ? [] : yield* on("conversation.idle")
  if (idle.length > 0) yield* Effect.forEach(written, (logged) => setIdleTimers(kind, logged, idle), { discard: true })
  const abandoned = events.filter(({ event }) => event.type === "cart.abandoned")
  const ofCarts = abandoned.length === 0 ? [] : yield* on("cart.abandoned")
  if (ofCarts.length > 0)
    yield* Effect.forEach(abandoned, (logged) => setCartTimers(kind, logged, ofCarts), { discard: true })
})
