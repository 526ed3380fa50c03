import { DateTime, Duration } from "effect"
import type { Organization } from "../../identity/index.ts"
import type { Broadcast } from "../Broadcast.ts"
import type { ActiveBroadcast } from "../RecipientLedger.ts"
import { endByOf, notAfterOf, startOf } from "../timing/index.ts"
import { doubtLasts, longestPause } from "./limits.ts"
import { zoneNamed } from "./Surroundings.ts"

/** What the service does with a broadcast by itself, beside sending it. */
export type Step = "start" | "expire" | "end_by" | "give_up_pause" | "complete"

/** What is to be done now of a broadcast, and when something is to be done next; `null` when nothing is. */
export interface NextStep {
  readonly step: Step | null
  readonly at: DateTime.Utc | null
}

const someTime = Duration.seconds(1)

/** How often it is looked whether a suspended organization is active again. */
const whileSuspended = Duration.minutes(1)

const isDue = (at: DateTime.Utc, now: DateTime.Utc) => DateTime.isLessThanOrEqualTo(at, now)

const earliest = (times: ReadonlyArray<DateTime.Utc | null>): DateTime.Utc | null =>
  times.filter((time) => time !== null).toSorted(DateTime.Order)[0] ?? null

const whileScheduled = (broadcast: Broadcast, { status, timezone }: Organization, now: DateTime.Utc): NextStep => {
  const { schedule } = broadcast
  if (schedule === null) return { step: "start", at: now }
  const start = startOf(schedule, zoneNamed(timezone)) ?? now
  if (!isDue(start, now)) return { step: null, at: start }
  if (DateTime.isLessThan(notAfterOf(schedule, start), now)) return { step: "expire", at: now }
  return status === "active"
    ? { step: "start", at: now }
    : { step: null, at: DateTime.addDuration(now, whileSuspended) }
}

const endOf = ({ schedule, startedAt }: Broadcast, now: DateTime.Utc) => endByOf(schedule ?? {}, startedAt ?? now)

const whilePaused = (broadcast: Broadcast, now: DateTime.Utc): NextStep => {
  const end = endOf(broadcast, now)
  if (isDue(end, now)) return { step: "end_by", at: now }
  const paused = DateTime.addDuration(broadcast.pause?.at ?? now, longestPause)
  return isDue(paused, now) ? { step: "give_up_pause", at: now } : { step: null, at: earliest([end, paused]) }
}

const whileSending = (
  { doubtedAt, isFrozen, listed, mark, nextDueAt, stats }: ActiveBroadcast,
  broadcast: Broadcast,
  now: DateTime.Utc
): NextStep => {
  const end = endOf(broadcast, now)
  const { inDoubt, inFlight, pending } = stats
  if (isDue(end, now) && pending > 0) return { step: "end_by", at: now }
  const settled = inDoubt === 0 || doubtedAt === null ? now : DateTime.addDuration(doubtedAt, doubtLasts)
  const isSent = isFrozen && pending === 0 && inFlight === 0
  if (isSent) return isDue(settled, now) ? { step: "complete", at: now } : { step: null, at: settled }
  return {
    step: null,
    at: earliest([
      pending > 0 ? end : null,
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
      return whilePaused(broadcast, now)
    case "sending":
      return whileSending(active, broadcast, now)
    default:
      return { step: null, at: null }
  }
}
