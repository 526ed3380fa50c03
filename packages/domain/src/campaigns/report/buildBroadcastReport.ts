import { DateTime, Effect } from "effect"
import type { Broadcast } from "../Broadcast.ts"
import { findRecipientExpiry, RecipientList, type RecipientTally } from "../RecipientList.ts"
import { isAccepted, type RecipientStatus } from "../RecipientStatus.ts"
import { hasEnded } from "../broadcastTransitions.ts"
import { type ButtonTally, ButtonTaps } from "../receipts/replies.ts"
import { BroadcastAttribution, BroadcastBuyers, noCredit } from "./BroadcastAttribution.ts"
import type { BroadcastReport, Funnel } from "./BroadcastReport.ts"
import { readBroadcastCosts } from "./broadcastCosts.ts"
import { makeUpliftCalculator } from "./uplift.ts"

const sumOf = (tallies: ReadonlyArray<RecipientTally>, one: (tally: RecipientTally) => number = ({ count }) => count) =>
  tallies.reduce((sum, tally) => sum + one(tally), 0)

const toFunnel = (tallies: ReadonlyArray<RecipientTally>): Funnel => {
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

const countTaps = (taps: ReadonlyArray<ButtonTally>) => {
  const counts: Record<string, number> = {}
  for (const { button, count } of taps) counts[button] = (counts[button] ?? 0) + count
  return counts
}

/** Sums recipients by stage, exclusion or error, and button. */
const toReportParts = (
  tallies: ReadonlyArray<RecipientTally>,
  taps: ReadonlyArray<ButtonTally>
): Pick<BroadcastReport, "funnel" | "excluded" | "failures" | "taps"> => ({
  funnel: toFunnel(tallies),
  excluded: countsBy(tallies, ({ reason, status }) => (status === "excluded" ? reason : null)),
  failures: countsBy(tallies, ({ code, status }) => (status === "failed" ? code : null)),
  taps: countTaps(taps)
})

/** Reads orders only for broadcasts with a hold-out, after all recipients were due. */
const readBuyers = Effect.fnUntraced(function* ({ holdOut, id, status, upliftDays }: Broadcast) {
  const buyers = yield* BroadcastBuyers
  if (holdOut === 0 || !(yield* buyers.areKnown())) return null
  return hasEnded(status) ? yield* buyers.count(id, upliftDays) : []
})

/** Builds the report of a broadcast as of now, or as of the end of its recipients' retention. */
export const buildBroadcastReport = Effect.fnUntraced(function* (broadcast: Broadcast) {
  const tallies = yield* (yield* RecipientList).tally(broadcast.id)
  const taps = yield* (yield* ButtonTaps).tally(broadcast.id)
  const credits = yield* (yield* BroadcastAttribution).read(broadcast.id)
  const asOf = (yield* findRecipientExpiry(broadcast)) ?? (yield* DateTime.now)
  const costs = yield* readBroadcastCosts(broadcast)
  const upliftFor = makeUpliftCalculator(broadcast, yield* readBuyers(broadcast), asOf)
  return {
    broadcastId: broadcast.id,
    asOf,
    ...toReportParts(tallies, taps),
    ...credits.total,
    costs: costs.total,
    variants:
      broadcast.variants?.map(({ key }) => ({
        key,
        ...toReportParts(
          tallies.filter(({ variant }) => variant === key),
          taps.filter(({ variant }) => variant === key)
        ),
        ...(credits.byVariant.get(key) ?? noCredit),
        costs: costs.ofVariant(key),
        ...upliftFor(key)
      })) ?? null,
    clicks: null,
    ...upliftFor(null)
  } satisfies BroadcastReport
})
