import { DateTime, Effect } from "effect"
import { StoreCarts } from "../../../commerce/index.ts"
import type { LoggedEvent } from "../../../platform/events/index.ts"
import type { SourceEvent } from "../triggers/Trigger.ts"
import { isMetBy, writtenBy } from "../triggers/triggerEvents.ts"
import {
  type ClockKind,
  type ClockOwner,
  type ClockOwnerId,
  type Clockwork,
  openClockLane,
  type TriggerClock,
  TriggerClocks
} from "./TriggerClocks.ts"

type Logged = LoggedEvent<SourceEvent>

const setAll = Effect.fnUntraced(function* (kind: ClockKind, clocks: ReadonlyArray<TriggerClock>) {
  const [first, ...others] = clocks
  if (first === undefined) return
  yield* (yield* TriggerClocks).set(clocks)
  yield* openClockLane(
    kind,
    others.reduce((earliest, { dueAt }) => DateTime.min(earliest, dueAt), first.dueAt)
  )
})

/** Counts from the last message of a person: what waits for one of the other side counts no more. */
const setIdleClocks = Effect.fnUntraced(function* (kind: ClockKind, logged: Logged, owners: ReadonlyArray<ClockOwner>) {
  const { at: since, event, position } = logged
  const by = writtenBy(logged)
  if (by === null || !("conversationId" in event)) return
  const { conversationId: subjectId } = event
  const set: Array<TriggerClock> = []
  const stopped: Array<ClockOwnerId> = []
  for (const { after, id: ownerId, when } of owners) {
    if (when.event !== "conversation.idle" || position <= after) continue
    const { lastFrom = "any", seconds } = when
    if (lastFrom !== "any" && lastFrom !== by) stopped.push(ownerId)
    else set.push({ kind, ownerId, subjectId, position, since, dueAt: DateTime.add(since, { seconds }) })
  }
  yield* (yield* TriggerClocks).stop(subjectId, stopped)
  yield* setAll(kind, set)
})

/** Counts from what was last done in a cart that is abandoned. */
const setCartClocks = Effect.fnUntraced(function* (
  kind: ClockKind,
  { event, position }: Logged,
  owners: ReadonlyArray<ClockOwner>
) {
  if (event.type !== "cart.abandoned") return
  const cart = yield* Effect.option((yield* StoreCarts).get(event.cartId))
  if (cart._tag === "None") return
  const since = cart.value.record.updatedAt
  yield* setAll(
    kind,
    owners.flatMap(({ after, id: ownerId, when }) =>
      when.event === "cart.abandoned" && position > after && isMetBy(when, event)
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

/** Sets the clocks that events start, or start anew. */
export const setClocks = Effect.fnUntraced(function* <Owner extends ClockOwner, Held, Found, Begun>(
  { kind, on }: Clockwork<Owner, Held, Found, Begun>,
  events: ReadonlyArray<Logged>
) {
  const written = events.filter((logged) => writtenBy(logged) !== null)
  const idle = written.length === 0 ? [] : yield* on("conversation.idle")
  if (idle.length > 0) yield* Effect.forEach(written, (logged) => setIdleClocks(kind, logged, idle), { discard: true })
  const abandoned = events.filter(({ event }) => event.type === "cart.abandoned")
  const ofCarts = abandoned.length === 0 ? [] : yield* on("cart.abandoned")
  if (ofCarts.length > 0)
    yield* Effect.forEach(abandoned, (logged) => setCartClocks(kind, logged, ofCarts), { discard: true })
})
