import { DateTime, Duration, Effect } from "effect"
import { asSystem, transact } from "../../../kernel/index.ts"
import { type LaneLease, LaneQueue, laneWork, workDue } from "../../../work/index.ts"
import { AutomationClocks } from "./AutomationClocks.ts"
import { clocksWork } from "./clockLane.ts"
import { strike } from "./strike.ts"

const mostAtOnce = 100

/** For how long one organization is worked for before another one's turn comes. */
const turn = Duration.seconds(3)

const within = asSystem("automations")

/** Ends the turn where nothing more is due, in the unit of work of what was. */
const endTurn = Effect.fnUntraced(function* (lease: LaneLease) {
  const queue = yield* LaneQueue
  if (!(yield* queue.isolate(lease))) {
    yield* queue.hold(lease)
    return undefined
  }
  const next = yield* (yield* AutomationClocks).nextDue()
  yield* next === null ? queue.close(lease) : queue.postpone(lease, next)
  return "closed" as const
})

const strikeBatch = Effect.fnUntraced(function* (lease: LaneLease) {
  const due = yield* (yield* AutomationClocks).due(yield* DateTime.now, mostAtOnce)
  yield* strike(due)
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

/** Conversations that are idle and carts that stay abandoned start automations, organization by organization. */
export const automationClockLanes = laneWork({
  name: clocksWork,
  concurrency: 4,
  run: (lease) => within(lease.organizationId)(strikeInTurn(lease)),
  nextDue: (lease) => within(lease.organizationId)(Effect.flatMap(AutomationClocks, (clocks) => clocks.nextDue()))
})

/** Lets the clocks strike whose time has come, of all organizations that nobody else works for. */
export const strikeClocks = workDue(automationClockLanes)
