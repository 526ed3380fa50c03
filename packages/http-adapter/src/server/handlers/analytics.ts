import { type Overview, readOverview } from "@parley/domain"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { asAsked } from "../analytics/asAsked.ts"
import { overviewChart } from "../analytics/charts.ts"
import { overviewTable } from "../analytics/tables.ts"
import { withAnswerWriters } from "../answers/answerWriters.ts"

/** Revenue is drawn in the organization's own currency, which is always the first one. */
const currencyOf = ({ current }: Overview) => current.commerce.revenue[0]?.currency ?? "EUR"

/** Analytics. */
export const layer = HttpApiBuilder.group(Api, "analytics", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    overview: ({ query: { period, ...look }, request }) =>
      readOverview(period).pipe(
        Effect.flatMap(
          asAsked(request, look, {
            name: `overview-${period}`,
            table: overviewTable,
            chart: (overview, shown) => overviewChart(overview, currencyOf(overview), shown)
          })
        )
      )
  })
)
