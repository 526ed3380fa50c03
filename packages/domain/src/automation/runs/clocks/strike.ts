import { DateTime, Effect } from "effect"
import { EventLog } from "../../../events/index.ts"
import type { ContactId } from "../../../crm/index.ts"
import { heldBecause } from "../held.ts"
import { newRun } from "../starting/newRun.ts"
import { startRuns } from "../starting/startRuns.ts"
import { reachable } from "../starting/whoseEvent.ts"
import { type AutomationClock, AutomationClocks } from "./AutomationClocks.ts"
import { type JudgedClock, judgeClocks } from "./verdicts.ts"

const isOnce = ({ automation }: JudgedClock) => automation.when.event === "cart.abandoned"

const startOf = Effect.fnUntraced(function* ({ automation, clock }: JudgedClock, contactId: ContactId) {
  const [counted] = yield* (yield* EventLog).at([clock.position])
  if (counted === undefined) return []
  const { event: type } = automation.when
  const key = type === "cart.abandoned" ? clock.subjectId : `${clock.subjectId}:${clock.position}`
  const { causation } = counted
  return [yield* newRun(automation, { key, event: { position: clock.position, type }, contactId, causation })]
})

const anewOf = ({ automation: { when }, clock, verdict }: JudgedClock): ReadonlyArray<AutomationClock> =>
  verdict.kind === "counts_anew" && (when.event === "cart.abandoned" || when.event === "conversation.idle")
    ? [{ ...clock, since: verdict.since, dueAt: DateTime.add(verdict.since, { seconds: when.seconds }) }]
    : []

/** Those that start something now, with whom it is for. */
const starting = Effect.fnUntraced(function* (judged: ReadonlyArray<JudgedClock>) {
  const meant = judged.flatMap((each) =>
    each.verdict.kind === "starts" ? [{ each, contactId: each.verdict.contactId }] : []
  )
  const known = yield* reachable(meant.map(({ contactId }) => contactId))
  return meant.filter(({ contactId }) => known.has(contactId))
})

/** Starts what clocks are for whose time has come. What strikes while nothing may start, starts nothing. */
export const strike = Effect.fnUntraced(function* (due: ReadonlyArray<AutomationClock>) {
  if (due.length === 0) return
  const clocks = yield* AutomationClocks
  const judged = (yield* heldBecause) === null ? yield* judgeClocks(due) : []
  const begun = yield* starting(judged)
  const forGood = new Set(begun.flatMap(({ each }) => (isOnce(each) ? [each.clock] : [])))
  const struck = new Set([
    ...(yield* clocks.strike([...forGood], true)),
    ...(yield* clocks.strike(
      due.filter((clock) => !forGood.has(clock)),
      false
    ))
  ])
  yield* clocks.set(judged.filter(({ clock }) => struck.has(clock)).flatMap(anewOf))
  const starts = begun.filter(({ each }) => struck.has(each.clock))
  const runs = yield* Effect.forEach(starts, ({ contactId, each }) => startOf(each, contactId))
  yield* startRuns(runs.flat())
})
