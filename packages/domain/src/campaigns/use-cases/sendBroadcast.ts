import { Effect } from "effect"
import { requireVersion, transact, useCase } from "../../kernel/index.ts"
import { withSnapshot } from "../audience/withSnapshot.ts"
import { Broadcast } from "../Broadcast.ts"
import { Broadcasts } from "../Broadcasts.ts"
import type { AudienceSnapshotId, BroadcastId } from "../Ids.ts"
import { startBroadcast } from "../sending/startBroadcast.ts"
import type { Schedule } from "../timing/Schedule.ts"
import { after } from "../transitions.ts"

/** Sends a broadcast now, whenever it was scheduled for; its window and its end hold. */
export const sendBroadcast = useCase(
  "broadcasts.send",
  { access: { permission: "broadcasts.send" } },
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
    const before = new Broadcast({ ...stored, schedule: schedule ?? stored.schedule })
    return yield* startBroadcast(yield* withSnapshot(before, audienceSnapshotId), "broadcast.sent")
  }, transact)
)
