import { DateTime } from "effect"
import type { Broadcast, VariantKey } from "../Broadcast.ts"
import { hasEnded } from "../broadcastTransitions.ts"
import type { BuyerCount } from "./BroadcastAttribution.ts"

/** How many of a group did something. */
export interface ConversionShare {
  readonly assigned: number
  readonly converted: number
}

/** A range of values, from the lowest to the highest. */
export type ConfidenceInterval = readonly [low: number, high: number]

/** The quantile of the normal distribution for 95 percent, on both sides. */
const z = 1.959_963_984_540_054

/** Wilson's score interval of a proportion. */
const wilson = ({ assigned, converted }: ConversionShare): ConfidenceInterval => {
  const part = converted / assigned
  const middle = 2 * converted + z * z
  const spread = z * Math.sqrt(z * z + 4 * converted * (1 - part))
  const scale = 2 * (assigned + z * z)
  return [Math.max(0, (middle - spread) / scale), Math.min(1, (middle + spread) / scale)]
}

/**
 * The 95 percent interval of the difference of two independent proportions by Newcombe's hybrid score, without correction for
 * continuity: method 10 of Newcombe, Statistics in Medicine 17 (1998), 873-890. Nobody may be missing in either group.
 */
export const newcombeInterval = (one: ConversionShare, other: ConversionShare): ConfidenceInterval => {
  const first = one.converted / one.assigned
  const second = other.converted / other.assigned
  const [lowFirst, highFirst] = wilson(one)
  const [lowSecond, highSecond] = wilson(other)
  return [
    first - second - Math.hypot(first - lowFirst, highSecond - second),
    first - second + Math.hypot(highFirst - first, second - lowSecond)
  ]
}

/** Why there is no uplift to tell. */
export type NoUpliftReason = "no_hold_out" | "no_store" | "window_open" | "stopped" | "too_few"

/** How many more of those who were sent to have ordered than of those who were held out. */
export interface Uplift {
  readonly value: number
  readonly treated: ConversionShare
  readonly heldOut: ConversionShare
  readonly difference: ConfidenceInterval
  readonly significant: boolean
}

/** What the uplift of a broadcast is told from. Contacts count for the group they were drawn for, whatever became of the message. */
export interface UpliftInput {
  readonly hasHoldOut: boolean
  readonly hasStore: boolean
  /** The days in which an order counts are over for everybody. */
  readonly windowClosed: boolean
  /** It ended before all of its recipients had their turn, so that its groups cannot be compared. */
  readonly stopped: boolean
  readonly treated: ConversionShare
  readonly heldOut: ConversionShare
}

/** An uplift, or the reason why there is none. */
export type UpliftResult =
  | { readonly uplift: Uplift; readonly upliftReason: null }
  | { readonly uplift: null; readonly upliftReason: NoUpliftReason }

const minHeldOut = 200
const minOrders = 10

const findNoUpliftReason = ({
  hasHoldOut,
  hasStore,
  heldOut,
  stopped,
  treated,
  windowClosed
}: UpliftInput): NoUpliftReason | null => {
  if (!hasHoldOut) return "no_hold_out"
  if (!hasStore) return "no_store"
  if (!windowClosed) return "window_open"
  if (stopped) return "stopped"
  return heldOut.assigned < minHeldOut || Math.min(treated.converted, heldOut.converted) < minOrders ? "too_few" : null
}

/** The uplift by intention to treat: how much larger the share of buyers is among the treated than among the held out. */
export const calculateUplift = (split: UpliftInput): UpliftResult => {
  const upliftReason = findNoUpliftReason(split)
  if (upliftReason !== null) return { uplift: null, upliftReason }
  const { heldOut, treated } = split
  const difference = newcombeInterval(treated, heldOut)
  const control = heldOut.converted / heldOut.assigned
  return {
    upliftReason: null,
    uplift: {
      value: (treated.converted / treated.assigned - control) / control,
      treated,
      heldOut,
      difference,
      significant: difference[0] > 0 || difference[1] < 0
    }
  }
}

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
export const makeUpliftCalculator = (broadcast: Broadcast, buyers: KnownBuyers, now: DateTime.Utc) => {
  const counts = buyers ?? []
  const { holdOut, stats, status } = broadcast
  return (variant: VariantKey | null): UpliftResult =>
    calculateUplift({
      hasHoldOut: holdOut > 0,
      hasStore: buyers !== null,
      windowClosed: isClosed(broadcast, counts, now),
      stopped: status === "cancelled" || status === "failed" || stats.neverSent > 0,
      treated: sumOf(counts.filter((each) => !each.isHeldOut && (variant === null || each.variant === variant))),
      heldOut: sumOf(counts.filter(({ isHeldOut }) => isHeldOut))
    })
}
