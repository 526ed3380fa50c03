import { DateTime, Duration } from "effect"
import type { Organization } from "../../platform/identity/index.ts"
import type { Broadcast } from "../Broadcast.ts"
import type { ActiveBroadcast } from "../RecipientLedger.ts"
import { endByOf, notAfterOf, startOf } from "../timing/Schedule.ts"
import { zoneNamed } from "./Surroundings.ts"
import { doubtLasts, longestPause } from "./limits.ts"

/** What the service does with a broadcast by itself, beside sending it. */
export type Step = "start" | "expire" | "end_by" | "give_up_pause" | "complete"

/**
 * What is to be done now of a broadcast; when somebody of it is to be sent to, or it is to be looked at for that; and by when something is
 * to be done whatever it waits for. `null` when nothing is.
 */
export interface NextStep {
  readonly step: Step | null
  readonly at: DateTime.Utc | null
  readonly by: DateTime.Utc | null
}

/** It is time for this. */
const due = (step: Step, now: DateTime.Utc): NextStep => ({ step, at: null, by: now })

/** Nothing is to be done before then. */
const notBefore = (by: DateTime.Utc | null): NextStep => ({ step: null, at: null, by })

const someTime = Duration.seconds(1)

/** How often it is looked whether a suspended organization is active again. */
const whileSuspended = Duration.minutes(1)

const isDue = (at: DateTime.Utc, now: DateTime.Utc) => DateTime.isLessThanOrEqualTo(at, now)

const earliest = (times: ReadonlyArray<DateTime.Utc | null>): DateTime.Utc | null =>
  times.filter((time) => time !== null).toSorted(DateTime.Order)[0] ?? null

const whileScheduled = (broadcast: Broadcast, { status, timezone }: Organization, now: DateTime.Utc): NextStep => {
  const { schedule } = broadcast
  if (schedule === null) return due("start", now)
  const start = startOf(schedule, zoneNamed(timezone)) ?? now
  if (!isDue(start, now)) return notBefore(start)
  if (DateTime.isLessThan(notAfterOf(schedule, start), now)) return due("expire", now)
  return status === "active" ? due("start", now) : notBefore(DateTime.addDuration(now, whileSuspended))
}

const endOf = ({ schedule, startedAt }: Broadcast, now: DateTime.Utc) => endByOf(schedule ?? {}, startedAt ?? now)

/** Completion time of a broadcast with nothing left to send; `null` otherwise. */
const settledAt = ({ doubtedAt, isFrozen, stats }: ActiveBroadcast, now: DateTime.Utc): DateTime.Utc | null => {
  if (!isFrozen || stats.pending > 0 || stats.inFlight > 0) return null
  return stats.inDoubt === 0 || doubtedAt === null ? now : DateTime.addDuration(doubtedAt, doubtLasts)
}

const completeAt = (settled: DateTime.Utc, now: DateTime.Utc): NextStep =>
  isDue(settled, now) ? due("complete", now) : notBefore(settled)

const whilePaused = (active: ActiveBroadcast, broadcast: Broadcast, now: DateTime.Utc): NextStep => {
  const settled = settledAt(active, now)
  if (settled !== null) return completeAt(settled, now)
  const end = endOf(broadcast, now)
  if (isDue(end, now)) return due("end_by", now)
  const paused = DateTime.addDuration(broadcast.pause?.at ?? now, longestPause)
  return isDue(paused, now) ? due("give_up_pause", now) : notBefore(earliest([end, paused]))
}

const whileSending = (active: ActiveBroadcast, broadcast: Broadcast, now: DateTime.Utc): NextStep => {
  const { isFrozen, listed, mark, nextDueAt } = active
  const { pending } = active.stats
  const end = endOf(broadcast, now)
  if (isDue(end, now) && pending > 0) return due("end_by", now)
  const settled = settledAt(active, now)
  if (settled !== null) return completeAt(settled, now)
  return {
    step: null,
    by: pending > 0 ? end : null,
    at: earliest([
      pending > 0 ? nextDueAt : null,
      mark < listed ? now : null,
      // Whoever freezes its audience opens the lane for each part of it.
      isFrozen ? null : DateTime.addDuration(now, someTime)
    ])
  }
}

/** What comes next of a broadcast. */
export const nextStep = (
  active: ActiveBroadcast,
  broadcast: Broadcast,
  organization: Organization,
  now: DateTime.Utc
): NextStep => {
  switch (active.status) {
    case "scheduled":
      return whileScheduled(broadcast, organization, now)
    case "paused":
      return whilePaused(active, broadcast, now)
    case "sending":
      return whileSending(active, broadcast, now)
    default:
      return notBefore(null)
  }
}
