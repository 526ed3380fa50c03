import { DateTime, Effect } from "effect"
import { CurrentActor, requireVersion, transact, useCase, ValidationFailed } from "../../kernel/index.ts"
import { Broadcast } from "../Broadcast.ts"
import { Broadcasts } from "../Broadcasts.ts"
import type { AudienceSnapshotId, BroadcastId } from "../Ids.ts"
import { withSnapshot } from "../audience/audienceSnapshots.ts"
import { transitionBroadcast } from "../broadcastChanges.ts"
import { nextBroadcastStatus } from "../broadcastTransitions.ts"
import { awaitStopped, changeStatus } from "../sending/changeStatus.ts"
import { startBroadcast } from "../sending/lifecycle.ts"
import { requireAudiencePermissions, requireReadyBroadcast } from "../startRequirements.ts"
import type { Schedule } from "../timing/Schedule.ts"

/** Schedules a draft by the given schedule or its own. Its recipients are determined at the start. */
export const scheduleBroadcast = useCase(
  {
    name: "broadcasts.schedule",
    access: { permission: "broadcasts.send" },
    actsThrough: "broadcast",
    audit: "broadcast.scheduled",
    emits: ["broadcast.status_changed"]
  },
  Effect.fnUntraced(function* ({
    id,
    audienceSnapshotId,
    schedule,
    ifVersion
  }: { readonly id: BroadcastId; readonly ifVersion: number | null } & {
    readonly schedule?: Schedule
    readonly audienceSnapshotId?: AudienceSnapshotId
  }) {
    const stored = yield* (yield* Broadcasts).lock(id)
    yield* requireVersion(stored, ifVersion)
    yield* nextBroadcastStatus(stored.status, "schedule")
    yield* requireAudiencePermissions(stored)
    const planned = new Broadcast({ ...stored, schedule: schedule ?? stored.schedule })
    yield* requireReadyBroadcast(planned, { startsNow: false })
    const listed = yield* withSnapshot(planned, audienceSnapshotId)
    return yield* transitionBroadcast(stored, "schedule", {
      action: "broadcast.scheduled",
      change: { schedule: planned.schedule, audienceSnapshotId: listed.audienceSnapshotId },
      expected: ifVersion
    })
  }, transact)
)

/** Returns a scheduled broadcast to draft. Its schedule remains stored without effect. */
export const unscheduleBroadcast = useCase(
  {
    name: "broadcasts.unschedule",
    access: { permission: "broadcasts.send" },
    actsThrough: "nothing",
    audit: "broadcast.unscheduled",
    emits: ["broadcast.status_changed"]
  },
  Effect.fnUntraced(function* ({ id, ifVersion }: { readonly id: BroadcastId; readonly ifVersion: number | null }) {
    const stored = yield* (yield* Broadcasts).lock(id)
    yield* requireVersion(stored, ifVersion)
    return yield* transitionBroadcast(stored, "unschedule", {
      action: "broadcast.unscheduled",
      change: { audienceSnapshotId: null },
      expected: ifVersion
    })
  }, transact)
)

/** Schedule fields with a start time. An immediate send cannot use them. */
const startFields = ["at", "localAt", "passed"] as const

const withoutStart = ({ at: _at, localAt: _localAt, passed: _passed, ...limits }: Schedule): Schedule => limits

/** Rejects a schedule with a start time, because ignoring it would send to the whole audience too early. */
const rejectStartTime = Effect.fnUntraced(function* (schedule: Schedule) {
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
  {
    name: "broadcasts.send",
    access: { permission: "broadcasts.send" },
    actsThrough: "broadcast",
    audit: "broadcast.sent",
    emits: ["broadcast.status_changed"]
  },
  Effect.fnUntraced(function* ({
    id,
    audienceSnapshotId,
    schedule,
    ifVersion
  }: { readonly id: BroadcastId; readonly ifVersion: number | null } & {
    readonly schedule?: Schedule
    readonly audienceSnapshotId?: AudienceSnapshotId
  }) {
    if (schedule !== undefined) yield* rejectStartTime(schedule)
    const stored = yield* (yield* Broadcasts).lock(id)
    yield* requireVersion(stored, ifVersion)
    yield* nextBroadcastStatus(stored.status, "send")
    yield* requireAudiencePermissions(stored)
    const planned = schedule ?? stored.schedule
    const before = new Broadcast({ ...stored, schedule: planned === null ? null : withoutStart(planned) })
    return yield* startBroadcast(yield* withSnapshot(before, audienceSnapshotId), "broadcast.sent")
  }, transact)
)

/** Pauses a broadcast. Calls in flight end, and no call starts after the response. */
export const pauseBroadcast = useCase(
  {
    name: "broadcasts.pause",
    access: { permission: "broadcasts.send" },
    actsThrough: "nothing",
    audit: "broadcast.paused",
    emits: ["broadcast.status_changed"]
  },
  Effect.fnUntraced(function* ({ id }: { readonly id: BroadcastId }) {
    const actor = yield* CurrentActor
    const by = actor.kind === "user" ? actor.userId : null
    const pause = { reason: "user", at: yield* DateTime.now, by } as const
    const paused = yield* changeStatus(id, "pause", {
      action: "broadcast.paused",
      change: { pause },
      reason: "user"
    })
    yield* awaitStopped(id)
    return paused
  }, transact)
)

/** Resumes a paused broadcast. Remaining recipients get it, and no contact gets it twice. */
export const resumeBroadcast = useCase(
  {
    name: "broadcasts.resume",
    access: { permission: "broadcasts.send" },
    actsThrough: "broadcast",
    audit: "broadcast.resumed",
    emits: ["broadcast.status_changed"]
  },
  Effect.fnUntraced(function* ({ id }: { readonly id: BroadcastId }) {
    const before = yield* (yield* Broadcasts).lock(id)
    yield* nextBroadcastStatus(before.status, "resume")
    yield* requireAudiencePermissions(before)
    yield* requireReadyBroadcast(before, { startsNow: true })
    return yield* changeStatus(id, "resume", { action: "broadcast.resumed" })
  }, transact)
)

/** Cancels a broadcast. Calls in flight end, and pending recipients are never called after the response. */
export const cancelBroadcast = useCase(
  {
    name: "broadcasts.cancel",
    access: { permission: "broadcasts.send" },
    actsThrough: "nothing",
    audit: "broadcast.cancelled",
    emits: ["broadcast.status_changed"]
  },
  Effect.fnUntraced(function* ({ id }: { readonly id: BroadcastId }) {
    const cancelled = yield* changeStatus(id, "cancel", {
      action: "broadcast.cancelled",
      change: { endReason: "user" },
      reason: "user"
    })
    yield* awaitStopped(id)
    return cancelled
  }, transact)
)
