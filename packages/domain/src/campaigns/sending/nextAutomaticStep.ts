import { DateTime, Duration } from "effect"
import type { Organization } from "../../platform/identity/index.ts"
import type { Broadcast } from "../Broadcast.ts"
import type { ActiveBroadcast } from "../RecipientLedger.ts"
import { latestEnd, latestStart, scheduledStart } from "../timing/Schedule.ts"
import { toTimeZone } from "./SendContext.ts"
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
