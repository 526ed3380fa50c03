import { DateTime, Effect } from "effect"
import type { Broadcast } from "../Broadcast.ts"
import { ButtonTaps } from "../ButtonTaps.ts"
import { RecipientList } from "../RecipientList.ts"
import { expiryOf } from "../recipients/requireRecipients.ts"
import type { BroadcastReport } from "./BroadcastReport.ts"
import { reportOf } from "./reportOf.ts"
import { upliftOf } from "./upliftOf.ts"

const nobody = { assigned: 0, converted: 0 }

/** Counts what has come of a broadcast: as it is now, or as it was when its recipients were to go. */
export const countReport = Effect.fnUntraced(function* (broadcast: Broadcast) {
  const tallies = yield* (yield* RecipientList).tally(broadcast.id)
  const taps = yield* (yield* ButtonTaps).tally(broadcast.id)
  const { reason, uplift } = upliftOf({
    hasHoldOut: broadcast.holdOut > 0,
    hasStore: false,
    windowClosed: false,
    stopped: false,
    treated: nobody,
    heldOut: nobody
  })
  return {
    broadcastId: broadcast.id,
    asOf: (yield* expiryOf(broadcast)) ?? (yield* DateTime.now),
    ...reportOf(tallies, taps),
    variants:
      broadcast.variants?.map(({ key }) => ({
        key,
        ...reportOf(
          tallies.filter(({ variant }) => variant === key),
          taps.filter(({ variant }) => variant === key)
        )
      })) ?? null,
    clicks: null,
    uplift,
    upliftReason: reason
  } satisfies BroadcastReport
})
