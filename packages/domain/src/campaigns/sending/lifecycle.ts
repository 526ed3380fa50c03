import { Cause, DateTime, Duration, Effect } from "effect"
import { transact } from "../../kernel/index.ts"
import { type LaneLease, LaneQueue } from "../../platform/background/index.ts"
import type { Organization } from "../../platform/identity/index.ts"
import { Broadcast } from "../Broadcast.ts"
import { Broadcasts } from "../Broadcasts.ts"
import type { BroadcastId } from "../Ids.ts"
import type { ActiveBroadcast } from "../RecipientLedger.ts"
import { freezeSlice, reserveAudience } from "../RecipientReservations.ts"
import { requireReadyBroadcast } from "../startRequirements.ts"
import { latestEnd, latestStart, scheduledStart } from "../timing/Schedule.ts"
import { toTimeZone } from "./SendContext.ts"
import {
  changeStatus,
  cancelPending,
  failBroadcast,
  failAutomatically,
  hasRecipientsLeft,
  transitionAutomatically
} from "./changeStatus.ts"
import { inDoubtTimeout, maxPause } from "./limits.ts"

/** Action of the service on a broadcast, apart from sending. */
export type AutomaticStep = "start" | "expire" | "end_by" | "give_up_pause" | "complete"

/**
 * Next action on a broadcast. `step` runs now, and `at` is the time of the next send or check. `by` is the next deadline that applies during any
 * wait. Each is `null` without one.
 */
export interface NextAutomaticStep {
  readonly step: AutomaticStep | null
  readonly at: DateTime.Utc | null
  readonly by: DateTime.Utc | null
}

const stepNow = (step: AutomaticStep, now: DateTime.Utc): NextAutomaticStep => ({ step, at: null, by: now })

const noStepBefore = (by: DateTime.Utc | null): NextAutomaticStep => ({ step: null, at: null, by })

const freezePollInterval = Duration.seconds(1)

/** Interval of checks whether a suspended organization is active again. */
const suspendedPollInterval = Duration.minutes(1)

const isDue = (at: DateTime.Utc, now: DateTime.Utc) => DateTime.isLessThanOrEqualTo(at, now)

const earliest = (times: ReadonlyArray<DateTime.Utc | null>): DateTime.Utc | null =>
  times.filter((time) => time !== null).toSorted(DateTime.Order)[0] ?? null

const nextWhenScheduled = (
  broadcast: Broadcast,
  { status, timezone }: Organization,
  now: DateTime.Utc
): NextAutomaticStep => {
  const { schedule } = broadcast
  if (schedule === null) return stepNow("start", now)
  const start = scheduledStart(schedule, toTimeZone(timezone)) ?? now
  if (!isDue(start, now)) return noStepBefore(start)
  if (DateTime.isLessThan(latestStart(schedule, start), now)) return stepNow("expire", now)
  return status === "active" ? stepNow("start", now) : noStepBefore(DateTime.addDuration(now, suspendedPollInterval))
}

const findEnd = ({ schedule, startedAt }: Broadcast, now: DateTime.Utc) => latestEnd(schedule ?? {}, startedAt ?? now)

/** Completion time of a broadcast with nothing left to send; `null` otherwise. */
const settledAt = ({ doubtedAt, isFrozen, stats }: ActiveBroadcast, now: DateTime.Utc): DateTime.Utc | null => {
  if (!isFrozen || stats.pending > 0 || stats.inFlight > 0) return null
  return stats.inDoubt === 0 || doubtedAt === null ? now : DateTime.addDuration(doubtedAt, inDoubtTimeout)
}

const completeStep = (settled: DateTime.Utc, now: DateTime.Utc): NextAutomaticStep =>
  isDue(settled, now) ? stepNow("complete", now) : noStepBefore(settled)

const nextWhenPaused = (active: ActiveBroadcast, broadcast: Broadcast, now: DateTime.Utc): NextAutomaticStep => {
  const settled = settledAt(active, now)
  if (settled !== null) return completeStep(settled, now)
  const end = findEnd(broadcast, now)
  if (isDue(end, now)) return stepNow("end_by", now)
  const paused = DateTime.addDuration(broadcast.pause?.at ?? now, maxPause)
  return isDue(paused, now) ? stepNow("give_up_pause", now) : noStepBefore(earliest([end, paused]))
}

const nextWhenSending = (active: ActiveBroadcast, broadcast: Broadcast, now: DateTime.Utc): NextAutomaticStep => {
  const { isFrozen, listed, mark, nextDueAt } = active
  const { pending } = active.stats
  const end = findEnd(broadcast, now)
  if (isDue(end, now) && pending > 0) return stepNow("end_by", now)
  const settled = settledAt(active, now)
  if (settled !== null) return completeStep(settled, now)
  return {
    step: null,
    by: pending > 0 ? end : null,
    at: earliest([
      pending > 0 ? nextDueAt : null,
      mark < listed ? now : null,
      // The freezing process notifies the lane after each slice.
      isFrozen ? null : DateTime.addDuration(now, freezePollInterval)
    ])
  }
}

/** Returns the next automatic step of a broadcast. */
export const nextAutomaticStep = (
  active: ActiveBroadcast,
  broadcast: Broadcast,
  organization: Organization,
  now: DateTime.Utc
): NextAutomaticStep => {
  switch (active.status) {
    case "scheduled":
      return nextWhenScheduled(broadcast, organization, now)
    case "paused":
      return nextWhenPaused(active, broadcast, now)
    case "sending":
      return nextWhenSending(active, broadcast, now)
    default:
      return noStepBefore(null)
  }
}

/** Starts a ready broadcast. Freezing and sending follow. `action` is the audit action of a member. */
export const startBroadcast = Effect.fnUntraced(function* (broadcast: Broadcast, action: string | null) {
  yield* requireReadyBroadcast(broadcast, { startsNow: true })
  if (broadcast.frozenAt === null) yield* reserveAudience(broadcast, yield* DateTime.now)
  return yield* changeStatus(broadcast.id, "send", {
    action,
    change: {
      schedule: broadcast.schedule,
      audienceSnapshotId: broadcast.audienceSnapshotId,
      startedAt: yield* DateTime.now
    }
  })
})

const toBroadcastFailure = (error: { readonly _tag: string; readonly message: string }) => ({
  code: error._tag.replace(/(?<=[a-z])(?=[A-Z])/gu, "_").toLowerCase(),
  detail: error.message
})

/** Fails a scheduled broadcast that cannot be sent. */
const failAtStart = Effect.fnUntraced(function* (
  { id }: Broadcast,
  error: { readonly _tag: string; readonly message: string }
) {
  yield* changeStatus(id, "send", { change: { startedAt: yield* DateTime.now } })
  yield* failBroadcast(id, toBroadcastFailure(error))
}, transact)

/** Starts a due broadcast. It fails if it is not ready, and stays unchanged after a concurrent change. */
const startWhenDue = (broadcast: Broadcast) =>
  transact(startBroadcast(broadcast, null)).pipe(
    Effect.asVoid,
    Effect.catchTags({
      PermissionDenied: (error) => failAtStart(broadcast, error),
      ValidationFailed: (error) => failAtStart(broadcast, error),
      TemplateNotApproved: (error) => failAtStart(broadcast, error),
      ChatAccountDisconnected: (error) => failAtStart(broadcast, error),
      PlanLimitReached: (error) => failAtStart(broadcast, error),
      AudienceEmpty: (error) => failAtStart(broadcast, error),
      UnsupportedByChannel: (error) => failAtStart(broadcast, error)
    }),
    Effect.catchTags({ BroadcastTransitionInvalid: () => Effect.void, NotFound: () => Effect.void })
  )

/** Adds the next slice of the audience to the list, as the lane owner. */
const freezeNext = Effect.fnUntraced(function* (id: BroadcastId, lane: LaneLease) {
  const isDone = yield* freezeSlice(id)
  yield* (yield* LaneQueue).hold(lane)
  return isDone
}, transact)

const fail = (id: BroadcastId, error: { readonly message: string }) =>
  failAutomatically(id, { code: "audience_invalid", detail: error.message })

/**
 * Freezes the audience of a broadcast in slices, concurrently with sending. `onPart` runs after each slice. A broadcast fails if its audience cannot
 * be planned. Other errors are logged, and the next check retries.
 */
export const freezeAudience = <R>(id: BroadcastId, lane: LaneLease, onPart: Effect.Effect<void, never, R>) =>
  Effect.repeat(Effect.tap(freezeNext(id, lane), onPart), { until: (isDone) => isDone }).pipe(
    Effect.asVoid,
    Effect.catchTags({
      PermissionDenied: (error) => fail(id, error),
      ValidationFailed: (error) => fail(id, error),
      NotFound: (error) => fail(id, error),
      UnsupportedByChannel: (error) => fail(id, error),
      LeaseLost: () => Effect.void
    }),
    Effect.catchCauseIf(
      (cause) => !Cause.hasInterrupts(cause),
      (cause) => Effect.logError(`The audience of ${id} could not be frozen; Parley retries it`, cause)
    )
  )

/** Stops sending to pending recipients. The broadcast completes when the other recipients are settled. */
const endSending = Effect.fnUntraced(
  function* ({ id }: Broadcast) {
    const broadcasts = yield* Broadcasts
    const locked = yield* broadcasts.lock(id)
    if (locked.status !== "sending") return
    yield* cancelPending(locked)
    const ended = new Broadcast({ ...locked, endReason: "end_by", waiting: null, updatedAt: yield* DateTime.now })
    yield* broadcasts.save(ended, null)
  },
  transact,
  (effect) => Effect.catchTags(effect, { NotFound: () => Effect.void, VersionConflict: Effect.die })
)

const complete = Effect.fnUntraced(function* ({ id }: Broadcast) {
  // A concurrent change of the list either holds the lock or is visible here.
  const locked = yield* (yield* Broadcasts).lock(id)
  if (!hasRecipientsLeft(locked)) yield* transitionAutomatically(id, "complete", { reason: locked.endReason })
}, transact)

/** Runs an automatic step of a broadcast. */
export const runAutomaticStep = (broadcast: Broadcast, step: AutomaticStep) => {
  const { id, status } = broadcast
  switch (step) {
    case "start":
      return startWhenDue(broadcast)
    case "expire":
      return transitionAutomatically(id, "expire", { change: { endReason: "not_after" }, reason: "not_after" })
    case "end_by":
      return status === "paused"
        ? transitionAutomatically(id, "cancel", { change: { endReason: "end_by" }, reason: "end_by" })
        : endSending(broadcast)
    case "give_up_pause":
      return transitionAutomatically(id, "cancel", {
        change: { endReason: "paused_too_long" },
        reason: "paused_too_long"
      })
    case "complete":
      return Effect.catchTag(complete(broadcast), "NotFound", () => Effect.void)
  }
}
