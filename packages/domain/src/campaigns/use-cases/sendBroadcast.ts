import { Effect } from "effect"
import { requireVersion, transact, useCase } from "../../kernel/index.ts"
import { withSnapshot } from "../audience/withSnapshot.ts"
import { Broadcast } from "../Broadcast.ts"
import { Broadcasts } from "../Broadcasts.ts"
import { requireAudienceReach } from "../checks/requireAudienceReach.ts"
import type { AudienceSnapshotId, BroadcastId } from "../Ids.ts"
import { startBroadcast } from "../sending/startBroadcast.ts"
import type { Schedule } from "../timing/Schedule.ts"
import { after } from "../transitions.ts"

/** What of a schedule holds for a broadcast that is sent now: nobody waits for a time of its own, and nobody's has passed. */
const limitsOf = ({ at: _at, localAt: _localAt, passed: _passed, ...limits }: Schedule): Schedule => limits

/** Sends a broadcast now, whenever it was scheduled for; its window and its end hold. */
export const sendBroadcast = useCase(
  "broadcasts.send",
  { access: { permission: "broadcasts.send" }, actsThrough: "broadcast" },
  Effect.fnUntraced(function* (
    id: BroadcastId,
    {
      audienceSnapshotId,
      schedule
    }: { readonly schedule?: Schedule; readonly audienceSnapshotId?: AudienceSnapshotId },
    expectedVersion: number | null
  ) {
    const stored = yield* (yield* Broadcasts).lock(id)
    yield* requireVersion(stored, expectedVersion)
    yield* after(stored.status, "send")
    yield* requireAudienceReach(stored)
    const planned = schedule ?? stored.schedule
    const before = new Broadcast({ ...stored, schedule: planned === null ? null : limitsOf(planned) })
    return yield* startBroadcast(yield* withSnapshot(before, audienceSnapshotId), "broadcast.sent")
  }, transact)
)
