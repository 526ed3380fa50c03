import { DateTime, Effect } from "effect"
import type { LoggedEvent } from "../../../events/index.ts"
import { StoreCarts } from "../../../stores/index.ts"
import type { AutomationId } from "../../Automation.ts"
import { Automations, type EnabledAutomation } from "../../Automations.ts"
import type { SourceEvent } from "../../triggers/SourceEvent.ts"
import { isMetBy } from "../../triggers/triggerEventOf.ts"
import { writtenBy } from "../../triggers/writtenBy.ts"
import { type AutomationClock, AutomationClocks } from "./AutomationClocks.ts"
import { openClockLane } from "./clockLane.ts"

type Logged = LoggedEvent<SourceEvent>

const setAll = Effect.fnUntraced(function* (clocks: ReadonlyArray<AutomationClock>) {
  const [first, ...others] = clocks
  if (first === undefined) return
  yield* (yield* AutomationClocks).set(clocks)
  yield* openClockLane(others.reduce((earliest, { dueAt }) => DateTime.min(earliest, dueAt), first.dueAt))
})

/** Counts from the last message of a person: automations that wait for one of the other side count no more. */
const setIdleClocks = Effect.fnUntraced(function* (logged: Logged, automations: ReadonlyArray<EnabledAutomation>) {
  const { at: since, event, position } = logged
  const by = writtenBy(logged)
  if (by === null || !("conversationId" in event)) return
  const { conversationId: subjectId } = event
  const set: Array<AutomationClock> = []
  const stopped: Array<AutomationId> = []
  for (const { enabledAfter, id: automationId, when } of automations) {
    if (when.event !== "conversation.idle" || position <= enabledAfter) continue
    const { lastFrom = "any", seconds } = when
    if (lastFrom !== "any" && lastFrom !== by) stopped.push(automationId)
    else set.push({ automationId, subjectId, position, since, dueAt: DateTime.add(since, { seconds }) })
  }
  yield* (yield* AutomationClocks).stop(subjectId, stopped)
  yield* setAll(set)
})

/** Counts from what was last done in a cart that is abandoned. */
const setCartClocks = Effect.fnUntraced(function* (
  { event, position }: Logged,
  automations: ReadonlyArray<EnabledAutomation>
) {
  if (event.type !== "cart.abandoned") return
  const cart = yield* Effect.option((yield* StoreCarts).get(event.cartId))
  if (cart._tag === "None") return
  const since = cart.value.record.updatedAt
  yield* setAll(
    automations.flatMap(({ enabledAfter, id: automationId, when }) =>
      when.event === "cart.abandoned" && position > enabledAfter && isMetBy(when, event)
        ? [
            {
              automationId,
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
export const setClocks = Effect.fnUntraced(function* (events: ReadonlyArray<Logged>) {
  const automations = yield* Automations
  const written = events.filter((logged) => writtenBy(logged) !== null)
  const idle = written.length === 0 ? [] : yield* automations.enabledOn("conversation.idle")
  if (idle.length > 0) yield* Effect.forEach(written, (logged) => setIdleClocks(logged, idle), { discard: true })
  const abandoned = events.filter(({ event }) => event.type === "cart.abandoned")
  const ofCarts = abandoned.length === 0 ? [] : yield* automations.enabledOn("cart.abandoned")
  if (ofCarts.length > 0)
    yield* Effect.forEach(abandoned, (logged) => setCartClocks(logged, ofCarts), { discard: true })
})
