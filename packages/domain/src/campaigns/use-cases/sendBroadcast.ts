import { Effect } from "effect"
import { requireVersion, transact, useCase, ValidationFailed } from "../../kernel/index.ts"
import { withSnapshot } from "../audience/withSnapshot.ts"
import { Broadcast } from "../Broadcast.ts"
import { Broadcasts } from "../Broadcasts.ts"
import { requireAudienceReach } from "../checks/requireAudienceReach.ts"
import type { AudienceSnapshotId, BroadcastId } from "../Ids.ts"
import { startBroadcast } from "../sending/startBroadcast.ts"
import type { Schedule } from "../timing/Schedule.ts"
import { after } from "../transitions.ts"

/** Schedule fields with a start time. An immediate send cannot use them. */
const startFields = ["at", "localAt", "passed"] as const

const withoutStart = ({ at: _at, localAt: _localAt, passed: _passed, ...limits }: Schedule): Schedule => limits

/** Rejects a schedule with a start time, because ignoring it would send to the whole audience too early. */
const refuseStart = Effect.fnUntraced(function* (schedule: Schedule) {
  const errors = startFields
    .filter((field) => field in schedule)
    .map((field) => ({
      pointer: `/schedule/${field}`,
      message: `Expected no ${field}: this call sends now. Use POST /broadcasts/:id/schedule to send later`
    }))
  if (errors.length > 0) return yield* new ValidationFailed({ errors })
})

/** Sends a broadcast now. Drops its own start time and applies its window and its end. */
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
    if (schedule !== undefined) yield* refuseStart(schedule)
    const stored = yield* (yield* Broadcasts).lock(id)
    yield* requireVersion(stored, expectedVersion)
    yield* after(stored.status, "send")
    yield* requireAudienceReach(stored)
    const planned = schedule ?? stored.schedule
    const before = new Broadcast({ ...stored, schedule: planned === null ? null : withoutStart(planned) })
    return yield* startBroadcast(yield* withSnapshot(before, audienceSnapshotId), "broadcast.sent")
  }, transact)
)
