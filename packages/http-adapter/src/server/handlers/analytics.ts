import {
  type Overview,
  readAgents,
  readBroadcastFigures,
  readHeatmap,
  readLive,
  readOverview,
  readSeries
} from "@parley/domain"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { pageOf } from "../../api/shapes.ts"
import { asAsked } from "../analytics/asAsked.ts"
import {
  agentsChart,
  broadcastsChart,
  heatmapChart,
  liveChart,
  overviewChart,
  seriesChart
} from "../analytics/charts.ts"
import {
  agentsTable,
  broadcastsTable,
  heatmapTable,
  liveTable,
  overviewTable,
  seriesTable
} from "../analytics/tables.ts"
import { withAnswerWriters } from "../answers/answerWriters.ts"
import { withFaultPointers } from "../faultPointers.ts"
import { inQuery } from "./contacts.ts"

/** Revenue is drawn in the organization's own currency, which is always the first one. */
const currencyOf = ({ current }: Overview) => current.commerce.revenue[0]?.currency ?? "EUR"

/** Analytics. */
export const layer = HttpApiBuilder.group(Api, "analytics", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    overview: ({ query, request }) =>
      readOverview(query.period).pipe(
        Effect.flatMap(
          asAsked(request, query, {
            name: `overview-${query.period}`,
            table: overviewTable,
            chart: (overview, look) => overviewChart(overview, currencyOf(overview), look)
          })
        )
      ),
    series: ({ query: { figure: figures, ...query }, request }) =>
      readSeries({ ...query, figures }).pipe(
        withFaultPointers(inQuery),
        Effect.flatMap(asAsked(request, query, { name: "series", table: seriesTable, chart: seriesChart }))
      ),
    agents: ({ query: { sort = "-replies", ...query }, request }) =>
      readAgents({ ...query, sort }, pageOf(query)).pipe(
        withFaultPointers(inQuery),
        Effect.flatMap(asAsked(request, query, { name: "agents", table: agentsTable, chart: agentsChart }))
      ),
    broadcasts: ({ query, request }) =>
      readBroadcastFigures(query, pageOf(query)).pipe(
        withFaultPointers(inQuery),
        Effect.flatMap(asAsked(request, query, { name: "broadcasts", table: broadcastsTable, chart: broadcastsChart }))
      ),
    heatmap: ({ query: { figure = "messages.inbound.total", ...query }, request }) =>
      readHeatmap({ ...query, figure }).pipe(
        withFaultPointers(inQuery),
        Effect.flatMap(asAsked(request, query, { name: "heatmap", table: heatmapTable, chart: heatmapChart }))
      ),
    live: ({ query, request }) =>
      readLive(query.chatAccountId).pipe(
        withFaultPointers(inQuery),
        Effect.flatMap(asAsked(request, query, { name: "live", table: liveTable, chart: liveChart }))
      )
  })
)
