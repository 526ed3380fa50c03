import { type Interval, newcombe, type Share } from "./newcombe.ts"

/** Why there is no uplift to tell. */
export type NoUplift = "no_hold_out" | "no_store" | "window_open" | "stopped" | "too_few"

/** How many more of those who were sent to have ordered than of those who were held out. */
export interface Uplift {
  readonly value: number
  readonly treated: Share
  readonly heldOut: Share
  readonly difference: Interval
  readonly significant: boolean
}

/** What the uplift of a broadcast is told from. Contacts count for the group they were drawn for, whatever became of the message. */
export interface Split {
  readonly hasHoldOut: boolean
  readonly hasStore: boolean
  /** The days in which an order counts are over for everybody. */
  readonly windowClosed: boolean
  /** It ended before all of its recipients had their turn, so that its groups cannot be compared. */
  readonly stopped: boolean
  readonly treated: Share
  readonly heldOut: Share
}

/** An uplift, or the reason why there is none. */
export type UpliftResult =
  | { readonly uplift: Uplift; readonly upliftReason: null }
  | { readonly uplift: null; readonly upliftReason: NoUplift }

const fewestHeldOut = 200
const fewestOrders = 10

const reasonOf = ({ hasHoldOut, hasStore, heldOut, stopped, treated, windowClosed }: Split): NoUplift | null => {
  if (!hasHoldOut) return "no_hold_out"
  if (!hasStore) return "no_store"
  if (!windowClosed) return "window_open"
  if (stopped) return "stopped"
  return heldOut.assigned < fewestHeldOut || Math.min(treated.converted, heldOut.converted) < fewestOrders
    ? "too_few"
    : null
}

/** The uplift by intention to treat: how much larger the share of buyers is among the treated than among the held out. */
export const upliftOf = (split: Split): UpliftResult => {
  const upliftReason = reasonOf(split)
  if (upliftReason !== null) return { uplift: null, upliftReason }
  const { heldOut, treated } = split
  const difference = newcombe(treated, heldOut)
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
