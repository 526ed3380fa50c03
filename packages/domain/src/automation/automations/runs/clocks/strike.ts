import { DateTime, Effect } from "effect"
import { EventLog } from "../../../../platform/events/index.ts"
import { reachable } from "../starting/whoseEvent.ts"
import type { Clockwork, ClockOwner, Struck } from "./Clockwork.ts"
import { type TriggerClock, TriggerClocks } from "./TriggerClocks.ts"
import { type JudgedClock, judgeClocks } from "./verdicts.ts"

const isOnce = ({ owner }: JudgedClock<ClockOwner>) => owner.when.event === "cart.abandoned"

const anewOf = ({ clock, owner, verdict }: JudgedClock<ClockOwner>): ReadonlyArray<TriggerClock> =>
  verdict.kind === "counts_anew"
    ? [{ ...clock, since: verdict.since, dueAt: DateTime.add(verdict.since, { seconds: owner.when.seconds }) }]
    : []

/** Those that start something now, with whom it is for. */
const starting = Effect.fnUntraced(function* <Owner extends ClockOwner>(judged: ReadonlyArray<JudgedClock<Owner>>) {
  const meant = judged.flatMap((each) =>
    each.verdict.kind === "starts" ? [{ each, contactId: each.verdict.contactId, name: each.verdict.name }] : []
  )
  const known = yield* reachable(meant.map(({ contactId }) => contactId))
  return meant.filter(({ contactId }) => known.has(contactId))
})

/** Begins what clocks are for whose time has come. What strikes while nothing may begin, begins nothing. */
export const strike = Effect.fnUntraced(function* <Owner extends ClockOwner, Held, Found, Begun>(
  clockwork: Clockwork<Owner, Held, Found, Begun>,
  due: ReadonlyArray<TriggerClock>
) {
  if (due.length === 0) return
  const clocks = yield* TriggerClocks
  const judged = (yield* clockwork.heldBecause) === null ? yield* judgeClocks(clockwork, due) : []
  const meant = yield* starting(judged)
  const forGood = new Set(meant.flatMap(({ each }) => (isOnce(each) ? [each.clock] : [])))
  const struck = new Set([
    ...(yield* clocks.strike([...forGood], true)),
    ...(yield* clocks.strike(
      due.filter((clock) => !forGood.has(clock)),
      false
    ))
  ])
  yield* clocks.set(judged.filter(({ clock }) => struck.has(clock)).flatMap(anewOf))
  const begun = meant.filter(({ each }) => struck.has(each.clock))
  const logged = yield* (yield* EventLog).at([...new Set(begun.map(({ each }) => each.clock.position))])
  const counted = new Map(logged.map((event) => [event.position, event]))
  yield* clockwork.begin(
    begun.flatMap(({ contactId, each: { clock, owner }, name }): ReadonlyArray<Struck<Owner>> => {
      const event = counted.get(clock.position)
      return event === undefined ? [] : [{ clock, owner, contactId, name, counted: event }]
    })
  )
})
