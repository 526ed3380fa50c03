import { DateTime } from "effect"
import type { Broadcast, VariantKey } from "../Broadcast.ts"
import { hasEnded } from "../broadcastTransitions.ts"
import type { BuyerCount } from "./BroadcastAttribution.ts"

/** Contacts of a group, and converted contacts. */
export interface ConversionShare {
  readonly assigned: number
  readonly converted: number
}

/** Range of values, lowest first. */
export type ConfidenceInterval = readonly [low: number, high: number]

/** Quantile of the normal distribution for 95 percent, two-sided. */
const z = 1.959_963_984_540_054

/** Returns Wilson's score interval of a proportion. */
const wilson = ({ assigned, converted }: ConversionShare): ConfidenceInterval => {
  const part = converted / assigned
  const middle = 2 * converted + z * z
  const spread = z * Math.sqrt(z * z + 4 * converted * (1 - part))
  const scale = 2 * (assigned + z * z)
  return [Math.max(0, (middle - spread) / scale), Math.min(1, (middle + spread) / scale)]
}

/**
 * Returns the 95 percent interval of the difference of two independent proportions by Newcombe's hybrid score, without continuity correction. Source:
 * method 10 of Newcombe, Statistics in Medicine 17 (1998), 873-890. Both groups must have members.
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

/** Reason for a missing uplift. */
export type NoUpliftReason = "no_hold_out" | "no_store" | "window_open" | "stopped" | "too_few"

/** Difference between the shares of buyers among sent and held-out contacts. */
export interface Uplift {
  readonly value: number
  readonly treated: ConversionShare
  readonly heldOut: ConversionShare
  readonly difference: ConfidenceInterval
  readonly significant: boolean
}

/** Inputs of the uplift. Contacts count for the group they were drawn for, with any message outcome. */
export interface UpliftInput {
  readonly hasHoldOut: boolean
  readonly hasStore: boolean
  /** Whether the order period is over for all contacts. */
  readonly windowClosed: boolean
  /** Whether the broadcast ended before all recipients were due, so its groups are not comparable. */
  readonly stopped: boolean
  readonly treated: ConversionShare
  readonly heldOut: ConversionShare
}

/** An uplift, or the reason for a missing one. */
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

/** Calculates the uplift by intention to treat: the share of buyers among treated contacts minus the share among held-out ones. */
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

/** Buyers per group; `null` if orders are unknown. */
export type KnownBuyers = ReadonlyArray<BuyerCount> | null

const sumOf = (counts: ReadonlyArray<BuyerCount>) =>
  counts.reduce(
    (sum, { assigned, converted }) => ({
      assigned: sum.assigned + assigned,
      converted: sum.converted + converted
    }),
    { assigned: 0, converted: 0 }
  )

/** Whether the order period is over for all contacts. An ended broadcast draws no more contacts. */
const isClosed = ({ status, upliftDays }: Broadcast, counts: ReadonlyArray<BuyerCount>, now: DateTime.Utc) =>
  hasEnded(status) &&
  counts.every(({ lastDueAt }) =>
    DateTime.isLessThanOrEqualTo(DateTime.add(lastDueAt, { hours: upliftDays * 24 }), now)
  )

/** Creates a function for the uplift of the broadcast (`null`) or of a variant. Each is compared with all held-out contacts. */
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
