import { Effect } from "effect"
import { requireVersion, transact, useCase } from "../../kernel/index.ts"
import { Broadcasts } from "../Broadcasts.ts"
import type { BroadcastId } from "../Ids.ts"
import { moveBroadcast } from "../moveBroadcast.ts"

/** Makes a draft of a scheduled broadcast again. It keeps its schedule, which counts no more. */
export const unscheduleBroadcast = useCase(
  "broadcasts.unschedule",
  { access: { permission: "broadcasts.send" }, actsThrough: "nothing" },
  Effect.fnUntraced(function* (id: BroadcastId, expectedVersion: number | null) {
    const stored = yield* (yield* Broadcasts).lock(id)
    yield* requireVersion(stored, expectedVersion)
    return yield* moveBroadcast(stored, "unschedule", {
      action: "broadcast.unscheduled",
      change: { audienceSnapshotId: null },
      expected: expectedVersion
    })
  }, transact)
)
