import { Effect } from "effect"
import type { ChatAccountId } from "../../messaging/chat/index.ts"
import { useCase } from "../../kernel/index.ts"
import { AnalyticsFigures } from "../AnalyticsFigures.ts"
import type { Heatmap, HeatmapFigure } from "../answers/Heatmap.ts"
import { accountScope } from "../reading/accountScope.ts"
import { rangeOf, type RangeRequest } from "../reading/rangeOf.ts"
import { type OpenBooks, reading } from "../reading/reading.ts"
import { countedOf } from "../reading/seriesFigures.ts"
import { asWeek, occurrencesIn, weekRanges } from "../reading/weekRanges.ts"

/** Of what it is asked when in the week it happens. */
export interface HeatmapRequest extends RangeRequest {
  readonly figure: HeatmapFigure
  readonly chatAccountId?: ChatAccountId
}

const count = Effect.fnUntraced(function* (request: HeatmapRequest, books: OpenBooks) {
  const { figure } = request
  const { asOf, currency, edition, now, state, timezone, zone } = books
  const { dates, from, to } = yield* rangeOf(request, books)
  const scope = yield* accountScope(request.chatAccountId)
  const ranges = weekRanges(dates, zone)
  const sums = yield* (yield* AnalyticsFigures).weekHours(edition, scope, countedOf(figure, currency), ranges)
  const occurrences = occurrencesIn(ranges, now)
  const amounts = new Map(sums.map(({ amount, hour }) => [hour, amount]))
  const heatmap: Heatmap = {
    timezone,
    from,
    to,
    asOf,
    state,
    figure,
    values: asWeek(occurrences.map((_, hour) => amounts.get(hour) ?? 0)),
    occurrences: asWeek(occurrences)
  }
  return heatmap
})

/** Reads when in the week something happens. */
export const readHeatmap = useCase(
  "analytics.heatmap",
  { access: { permission: "analytics.read" } },
  (request: HeatmapRequest) => reading((books) => count(request, books))
)
