import { Effect } from "effect"
import { useCase } from "../../kernel/index.ts"
import { BroadcastAttribution } from "../BroadcastAttribution.ts"
import { BroadcastReports } from "../BroadcastReports.ts"
import { Broadcasts } from "../Broadcasts.ts"
import type { BroadcastId } from "../Ids.ts"
import { countReport } from "../report/countReport.ts"

/** Reads what has come of a broadcast, as it is now; once its recipients are gone, as it was then. */
export const readBroadcastReport = useCase(
  "broadcasts.report",
  { access: { permission: "broadcasts.read" } },
  Effect.fnUntraced(function* (id: BroadcastId) {
    const broadcast = yield* (yield* Broadcasts).get(id)
    const stored = yield* (yield* BroadcastReports).find(id)
    if (stored === null) return yield* countReport(broadcast)
    // Refunds change the attributed amounts after the recipients are deleted.
    return { ...stored, ...(yield* (yield* BroadcastAttribution).read(id)).total }
  })
)
