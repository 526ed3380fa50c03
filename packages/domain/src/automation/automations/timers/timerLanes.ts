import { DateTime, Duration, Effect } from "effect"
import { asSystem, transact } from "../../../kernel/index.ts"
import { type LaneLease, LaneQueue, defineLaneWorker, runDueLanes } from "../../../platform/background/index.ts"
import { EventLog } from "../../../platform/events/index.ts"
import { holdReason } from "../AutomationSettings.ts"
import { Automations, type EnabledAutomation } from "../Automations.ts"
import { buildAutomationRun, eligibleContacts } from "../runs/newRuns.ts"
import { startRuns } from "../runs/savedRuns.ts"
import {
  type TimerOwner,
  type InactivityTrigger,
  type TimerTriggers,
  timerTaskNames,
  isInactivityTrigger,
  type FiredTimer,
  type TriggerTimer,
  TriggerTimers
} from "./TriggerTimers.ts"
import { evaluateTimers, type EvaluatedTimer } from "./timerOutcomes.ts"

const isOnce = ({ owner }: EvaluatedTimer<TimerOwner>) => owner.when.event === "cart.abandoned"

const toRestartedTimers = ({ clock, owner, verdict }: EvaluatedTimer<TimerOwner>): ReadonlyArray<TriggerTimer> =>
  verdict.kind === "counts_anew"
    ? [{ ...clock, since: verdict.since, dueAt: DateTime.add(verdict.since, { seconds: owner.when.seconds }) }]
    : []

/** Selects timers that start a run, with their contacts. */
const selectStartingTimers = Effect.fnUntraced(function* <Owner extends TimerOwner>(
  judged: ReadonlyArray<EvaluatedTimer<Owner>>
) {
  const meant = judged.flatMap((each) =>
    each.verdict.kind === "starts" ? [{ each, contactId: each.verdict.contactId, name: each.verdict.name }] : []
  )
  const known = yield* eligibleContacts(meant.map(({ contactId }) => contactId))
  return meant.filter(({ contactId }) => known.has(contactId))
})

/** Fires due timers. A timer that fires during a hold starts nothing. */
const fireDueTimers = Effect.fnUntraced(function* <Owner extends TimerOwner, Held, Found, Begun>(
  clockwork: TimerTriggers<Owner, Held, Found, Begun>,
  due: ReadonlyArray<TriggerTimer>
) {
  if (due.length === 0) return
  const clocks = yield* TriggerTimers
  const judged = (yield* clockwork.heldBecause) === null ? yield* evaluateTimers(clockwork, due) : []
  const meant = yield* selectStartingTimers(judged)
  const forGood = new Set(meant.flatMap(({ each }) => (isOnce(each) ? [each.clock] : [])))
  const struck = new Set([
    ...(yield* clocks.strike([...forGood], true)),
    ...(yield* clocks.strike(
      due.filter((clock) => !forGood.has(clock)),
      false
    ))
  ])
  yield* clocks.set(judged.filter(({ clock }) => struck.has(clock)).flatMap(toRestartedTimers))
  const begun = meant.filter(({ each }) => struck.has(each.clock))
  const logged = yield* (yield* EventLog).at([...new Set(begun.map(({ each }) => each.clock.position))])
  const counted = new Map(logged.map((event) => [event.position, event]))
  yield* clockwork.begin(
    begun.flatMap(({ contactId, each: { clock, owner }, name }): ReadonlyArray<FiredTimer<Owner>> => {
      const event = counted.get(clock.position)
      return event === undefined ? [] : [{ clock, owner, contactId, name, counted: event }]
    })
  )
})

const batchSize = 100

/** Maximum time for one organization before another one is processed. */
const maxTurn = Duration.seconds(3)

/** Starts runs for idle conversations and abandoned carts, per organization. */
export const makeTimerLaneWorker = <Owner extends TimerOwner, Held, Found, Begun>(
  clockwork: TimerTriggers<Owner, Held, Found, Begun>
) => {
  const within = asSystem(`${clockwork.kind}s`)
  const nextDue = Effect.flatMap(TriggerTimers, (clocks) => clocks.nextDue(clockwork.kind))

  /** Releases the lane if no timer is due, in the unit of work of the fired timers. */
  const endTurn = Effect.fnUntraced(function* (lease: LaneLease) {
    const queue = yield* LaneQueue
    if (!(yield* queue.isolate(lease))) {
      yield* queue.hold(lease)
      return undefined
    }
    const next = yield* nextDue
    yield* next === null ? queue.close(lease) : queue.postpone(lease, next)
    return "closed" as const
  })

  const strikeBatch = Effect.fnUntraced(function* (lease: LaneLease) {
    const due = yield* (yield* TriggerTimers).due(clockwork.kind, yield* DateTime.now, batchSize)
    yield* fireDueTimers(clockwork, due)
    if (due.length < batchSize) return yield* endTurn(lease)
    yield* (yield* LaneQueue).hold(lease)
    return "more" as const
  }, transact)

  const strikeInTurn = Effect.fnUntraced(function* (lease: LaneLease) {
    const end = DateTime.addDuration(yield* DateTime.now, maxTurn)
    while (true) {
      const ended = yield* strikeBatch(lease)
      if (ended !== "more") return ended
      if (DateTime.isGreaterThanOrEqualTo(yield* DateTime.now, end)) return undefined
    }
  })

  return defineLaneWorker({
    name: timerTaskNames[clockwork.kind],
    concurrency: 4,
    run: (lease) => within(lease.organizationId)(strikeInTurn(lease)),
    nextDue: (lease) => within(lease.organizationId)(nextDue)
  })
}

type AutomationTimerOwner = EnabledAutomation & TimerOwner

const ownersOf = (automations: ReadonlyArray<EnabledAutomation>): ReadonlyArray<AutomationTimerOwner> =>
  automations.flatMap((automation) => {
    const { enabledAfter, when } = automation
    return isInactivityTrigger(when) ? [{ ...automation, when, after: enabledAfter }] : []
  })

const runOf = ({ clock: { position }, contactId, counted, name: key, owner }: FiredTimer<AutomationTimerOwner>) =>
  buildAutomationRun(owner, {
    key,
    event: { position, type: owner.when.event },
    contactId,
    causation: counted.causation
  })

/** Automations that idle conversations and abandoned carts start. */
export const automationTimers = {
  kind: "automation",
  heldBecause: holdReason,
  on: Effect.fnUntraced(function* (event: InactivityTrigger["event"]) {
    return ownersOf(yield* (yield* Automations).enabledOn(event))
  }),
  begin: Effect.fnUntraced(function* (struck: ReadonlyArray<FiredTimer<AutomationTimerOwner>>) {
    yield* startRuns(yield* Effect.forEach(struck, runOf))
  })
} satisfies TimerTriggers<AutomationTimerOwner, unknown, unknown, unknown>

export const automationTimerLaneWorker = makeTimerLaneWorker(automationTimers)

/** Fires due timers of automations, for all organizations whose lanes are free. */
export const fireTimers = runDueLanes(automationTimerLaneWorker)
