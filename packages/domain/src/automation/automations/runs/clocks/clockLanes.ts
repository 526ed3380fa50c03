import { DateTime, Duration, Effect } from "effect"
import { asSystem, transact } from "../../../../kernel/index.ts"
import { type LaneLease, LaneQueue, laneWork } from "../../../../platform/background/index.ts"
import { clockWorks } from "./clockLane.ts"
import type { Clockwork, ClockOwner } from "./Clockwork.ts"
import { strike } from "./strike.ts"
import { TriggerClocks } from "./TriggerClocks.ts"

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
