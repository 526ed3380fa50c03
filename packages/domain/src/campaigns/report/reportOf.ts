import type { ButtonTally } from "../ButtonTaps.ts"
import type { RecipientTally } from "../RecipientList.ts"
import { isAccepted, type RecipientStatus } from "../RecipientStatus.ts"
import type { BroadcastReport, Funnel } from "./BroadcastReport.ts"

const sumOf = (tallies: ReadonlyArray<RecipientTally>, one: (tally: RecipientTally) => number = ({ count }) => count) =>
  tallies.reduce((sum, tally) => sum + one(tally), 0)

const funnelOf = (tallies: ReadonlyArray<RecipientTally>): Funnel => {
  const of = (...statuses: ReadonlyArray<RecipientStatus>) =>
    sumOf(tallies.filter(({ status }) => statuses.includes(status)))
  const accepted = sumOf(tallies.filter(({ status }) => isAccepted(status)))
  const [failed, inDoubt] = [of("failed"), of("in_doubt")]
  return {
    matched: sumOf(tallies),
    excluded: of("excluded"),
    heldOut: of("held_out"),
    attempted: accepted + failed + inDoubt,
    accepted,
    failed,
    inDoubt,
    delivered: of("delivered", "read"),
    read: of("read"),
    replied: sumOf(tallies, ({ replied }) => replied),
    optedOut: sumOf(tallies, ({ optedOut }) => optedOut),
    neverSent: of("never_sent")
  }
}

const countsBy = (tallies: ReadonlyArray<RecipientTally>, name: (tally: RecipientTally) => string | null) => {
  const counts: Record<string, number> = {}
  for (const tally of tallies) {
    const key = name(tally)
    if (key !== null) counts[key] = (counts[key] ?? 0) + tally.count
  }
  return counts
}

const tapsOf = (taps: ReadonlyArray<ButtonTally>) => {
  const counts: Record<string, number> = {}
  for (const { button, count } of taps) counts[button] = (counts[button] ?? 0) + count
  return counts
}

/** What recipients add up to: how far they came, why they came no further, and what they have tapped. */
export const reportOf = (
  tallies: ReadonlyArray<RecipientTally>,
  taps: ReadonlyArray<ButtonTally>
): Pick<BroadcastReport, "funnel" | "excluded" | "failures" | "taps"> => ({
  funnel: funnelOf(tallies),
  excluded: countsBy(tallies, ({ reason, status }) => (status === "excluded" ? reason : null)),
  failures: countsBy(tallies, ({ code, status }) => (status === "failed" ? code : null)),
  taps: tapsOf(taps)
})
