import { DateTime, Effect } from "effect"
import { useCase } from "../../kernel/index.ts"
import { Broadcasts } from "../Broadcasts.ts"
import type { BroadcastId } from "../Ids.ts"
import { RecipientList } from "../RecipientList.ts"
import type { BroadcastReport } from "../report/BroadcastReport.ts"
import { reportOf } from "../report/reportOf.ts"
import { upliftOf } from "../report/upliftOf.ts"

const nobody = { assigned: 0, converted: 0 }

/** Reads what has come of a broadcast, as it is now. */
export const readBroadcastReport = useCase(
  "broadcasts.report",
  { access: { permission: "broadcasts.read" } },
  Effect.fnUntraced(function* (id: BroadcastId) {
    const broadcast = yield* (yield* Broadcasts).get(id)
    const tallies = yield* (yield* RecipientList).tally(id)
    const { reason, uplift } = upliftOf({
      hasHoldOut: broadcast.holdOut > 0,
      hasStore: false,
      windowClosed: false,
      stopped: false,
      treated: nobody,
      heldOut: nobody
    })
    return {
      broadcastId: id,
      asOf: yield* DateTime.now,
      ...reportOf(tallies),
      variants:
        broadcast.variants?.map(({ key }) => ({
          key,
          ...reportOf(tallies.filter(({ variant }) => variant === key))
        })) ?? null,
      clicks: null,
      uplift,
      upliftReason: reason
    } satisfies BroadcastReport
  })
)
