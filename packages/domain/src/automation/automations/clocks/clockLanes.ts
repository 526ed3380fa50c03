import { DateTime, Duration, Effect } from "effect"
import { asSystem, transact } from "../../../kernel/index.ts"
import { type LaneLease, LaneQueue, laneWork, workDue } from "../../../platform/background/index.ts"
import { EventLog } from "../../../platform/events/index.ts"
import { heldBecause } from "../AutomationSettings.ts"
import { Automations, type EnabledAutomation } from "../Automations.ts"
import { newRun, reachable } from "../runs/newRuns.ts"
import { startRuns } from "../runs/savedRuns.ts"
import {
  type ClockOwner,
  type ClockTrigger,
  type Clockwork,
  clockWorks,
  isClockTrigger,
  type Struck,
  type TriggerClock,
  TriggerClocks
} from "./TriggerClocks.ts"
import { judgeClocks, type JudgedClock } from "./clockVerdicts.ts"

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
const strike = Effect.fnUntraced(function* <Owner extends ClockOwner, Held, Found, Begun>(
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

const mostAtOnce = 100

/** For how long one organization is worked for before another one's turn comes. */
const turn = Duration.seconds(3)

/** Conversations that are idle and carts that stay abandoned begin something, organization by organization. */
export const clockLanes = <Owner extends ClockOwner, Held, Found, Begun>(
  clockwork: Clockwork<Owner, Held, Found, Begun>
) => {
  const within = asSystem(`${clockwork.kind}s`)
  const nextDue = Effect.flatMap(TriggerClocks, (clocks) => clocks.nextDue(clockwork.kind))

  /** Ends the turn where nothing more is due, in the unit of work of what was. */
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
    const due = yield* (yield* TriggerClocks).due(clockwork.kind, yield* DateTime.now, mostAtOnce)
    yield* strike(clockwork, due)
    if (due.length < mostAtOnce) return yield* endTurn(lease)
    yield* (yield* LaneQueue).hold(lease)
    return "more" as const
  }, transact)

  const strikeInTurn = Effect.fnUntraced(function* (lease: LaneLease) {
    const end = DateTime.addDuration(yield* DateTime.now, turn)
    while (true) {
      const ended = yield* strikeBatch(lease)
      if (ended !== "more") return ended
      if (DateTime.isGreaterThanOrEqualTo(yield* DateTime.now, end)) return undefined
    }
  })

  return laneWork({
    name: clockWorks[clockwork.kind],
    concurrency: 4,
    run: (lease) => within(lease.organizationId)(strikeInTurn(lease)),
    nextDue: (lease) => within(lease.organizationId)(nextDue)
  })
}

type Owner = EnabledAutomation & ClockOwner

const ownersOf = (automations: ReadonlyArray<EnabledAutomation>): ReadonlyArray<Owner> =>
  automations.flatMap((automation) => {
    const { enabledAfter, when } = automation
    return isClockTrigger(when) ? [{ ...automation, when, after: enabledAfter }] : []
  })

const runOf = ({ clock: { position }, contactId, counted, name: key, owner }: Struck<Owner>) =>
  newRun(owner, { key, event: { position, type: owner.when.event }, contactId, causation: counted.causation })

/** The automations that are started by conversations that are idle and by carts that stay abandoned. */
export const automationClocks = {
  kind: "automation",
  heldBecause,
  on: Effect.fnUntraced(function* (event: ClockTrigger["event"]) {
    return ownersOf(yield* (yield* Automations).enabledOn(event))
  }),
  begin: Effect.fnUntraced(function* (struck: ReadonlyArray<Struck<Owner>>) {
    yield* startRuns(yield* Effect.forEach(struck, runOf))
  })
} satisfies Clockwork<Owner, unknown, unknown, unknown>

export const automationClockLanes = clockLanes(automationClocks)

/** Lets the clocks of automations strike whose time has come, of all organizations that nobody else works for. */
export const strikeClocks = workDue(automationClockLanes)
