import { Effect } from "effect"
import { requireVersion, transact, useCase } from "../../kernel/index.ts"
import { withSnapshot } from "../audience/withSnapshot.ts"
import { Broadcast } from "../Broadcast.ts"
import { Broadcasts } from "../Broadcasts.ts"
import { requireAudienceReach } from "../checks/requireAudienceReach.ts"
import { requireReady } from "../checks/requireReady.ts"
import type { AudienceSnapshotId, BroadcastId } from "../Ids.ts"
import { moveBroadcast } from "../moveBroadcast.ts"
import type { Schedule } from "../timing/Schedule.ts"
import { after } from "../transitions.ts"

/** Has a draft start at its time, by the schedule that is given or by its own. Its recipients are found out when it starts. */
export const scheduleBroadcast = useCase(
  "broadcasts.schedule",
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
    yield* after(stored.status, "schedule")
    yield* requireAudienceReach(stored)
    const planned = new Broadcast({ ...stored, schedule: schedule ?? stored.schedule })
    yield* requireReady(planned, { startsNow: false })
    const listed = yield* withSnapshot(planned, audienceSnapshotId)
    return yield* moveBroadcast(stored, "schedule", {
      action: "broadcast.scheduled",
      change: { schedule: planned.schedule, audienceSnapshotId: listed.audienceSnapshotId },
      expected: expectedVersion
    })
  }, transact)
)
