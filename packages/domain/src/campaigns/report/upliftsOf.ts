import { DateTime } from "effect"
import type { Broadcast, VariantKey } from "../Broadcast.ts"
import type { BuyerCount } from "../BroadcastBuyers.ts"
import { hasEnded } from "../transitions.ts"
import { type UpliftResult, upliftOf } from "./upliftOf.ts"

/** What is known of the orders of a broadcast's groups; `null` where no orders are known. */
export type KnownBuyers = ReadonlyArray<BuyerCount> | null

const sumOf = (counts: ReadonlyArray<BuyerCount>) =>
  counts.reduce(
    (sum, { assigned, converted }) => ({
      assigned: sum.assigned + assigned,
      converted: sum.converted + converted
    }),
    { assigned: 0, converted: 0 }
  )

/** Whether nobody's order counts any more. Nobody is drawn once it has ended. */
const isClosed = ({ status, upliftDays }: Broadcast, counts: ReadonlyArray<BuyerCount>, now: DateTime.Utc) =>
  hasEnded(status) &&
  counts.every(({ lastDueAt }) =>
    DateTime.isLessThanOrEqualTo(DateTime.add(lastDueAt, { hours: upliftDays * 24 }), now)
  )

/** The uplift of a whole broadcast (`null`), or of one of its variants: each is held against all who were held out. */
export const upliftsOf = (broadcast: Broadcast, buyers: KnownBuyers, now: DateTime.Utc) => {
  const counts = buyers ?? []
  const { holdOut, stats, status } = broadcast
  return (variant: VariantKey | null): UpliftResult =>
    upliftOf({
      hasHoldOut: holdOut > 0,
      hasStore: buyers !== null,
      windowClosed: isClosed(broadcast, counts, now),
      stopped: status === "cancelled" || status === "failed" || stats.neverSent > 0,
      treated: sumOf(counts.filter((each) => !each.isHeldOut && (variant === null || each.variant === variant))),
      heldOut: sumOf(counts.filter(({ isHeldOut }) => isHeldOut))
    })
}
