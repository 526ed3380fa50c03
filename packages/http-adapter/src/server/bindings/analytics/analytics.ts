import { Effect, Stream } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { writeCsv } from "@parley/domain/platform"
import {
  type Overview,
  readAgents,
  readBroadcastFigures,
  readCosts,
  readHeatmap,
  readLive,
  readOverview,
  readSeries
} from "@parley/domain/analytics"
import { AnalyticsApi } from "../../../api/analytics.ts"
import { pageOf } from "../../../api/shapes.ts"
import {
  agentsChart,
  broadcastsChart,
  costsChart,
  heatmapChart,
  liveChart,
  overviewChart,
  seriesChart
} from "../../analytics/charts.ts"
import type { Look } from "../../analytics/charts/drawChart.ts"
import {
  agentsTable,
  broadcastsTable,
  costsTable,
  heatmapTable,
  liveTable,
  overviewTable,
  seriesTable,
  type Table
} from "../../analytics/tables.ts"
import { answerFormat, type AnswerFormat, mediaTypes } from "../../contentNegotiation.ts"
import { agents, broadcasts, costs, heatmap, live, overview, series } from "../../examples/analytics.ts"
import { withFaultPointers } from "../../faults.ts"
import { bindWith, inQuery } from "../bind.ts"

/** Requested format and look. */
interface Asked {
  readonly format?: AnswerFormat
  readonly width?: number
  readonly height?: number
  readonly theme?: Look["theme"]
}

/** Writers of the formats other than JSON. */
interface Ways<Answer> {
  /** File name of the answer. */
  readonly name: string
  readonly table: (answer: Answer) => Table
  readonly chart: (answer: Answer, look: Look) => string
}

/** Content security policy of a chart: an inline style only, no scripts and no resources. */
const chartPolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"

/** Writes an answer in the requested format. The contract writes JSON. */
const asAsked =
  <Answer>(
    { headers }: HttpServerRequest.HttpServerRequest,
    { format, height = 480, theme = "light", width = 960 }: Asked,
    ways: Ways<Answer>
  ) =>
  (answer: Answer): Effect.Effect<Answer | HttpServerResponse.HttpServerResponse> => {
    const chosen = answerFormat(format, headers.accept)
    if (chosen === "json") return Effect.succeed(answer)
    const contentType = `${mediaTypes[chosen]}; charset=utf-8`
    if (chosen === "svg") {
      return Effect.succeed(
        HttpServerResponse.text(ways.chart(answer, { width, height, theme }), {
          contentType,
          headers: { "content-security-policy": chartPolicy, vary: "accept" }
        })
      )
    }
    const { header, rows } = ways.table(answer)
    return Stream.fromIterable(rows).pipe(
      writeCsv(header),
      Stream.runCollect,
      Effect.map((pieces) =>
        HttpServerResponse.uint8Array(Buffer.concat(Array.from(pieces)), {
          contentType,
          headers: { "content-disposition": `attachment; filename="${ways.name}.csv"`, vary: "accept" }
        })
      )
    )
  }

/** Currency of drawn revenue: the currency of the organization, which is always the first. */
const currencyOf = ({ current }: Overview) => current.commerce.revenue[0]?.currency ?? "EUR"

export const analytics = bindWith(
  AnalyticsApi,
  {
    overview: { uses: readOverview, response: overview },
    series: { uses: readSeries, response: series },
    agents: { uses: readAgents, response: agents },
    broadcasts: { uses: readBroadcastFigures, response: broadcasts },
    costs: { uses: readCosts, response: costs },
    heatmap: { uses: readHeatmap, response: heatmap },
    live: { uses: readLive, response: live }
  },
  (handlers) =>
    handlers.handleAll({
      overview: ({ query, request }) =>
        readOverview({ period: query.period }).pipe(
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
        readAgents({ ...query, sort, page: pageOf(query) }).pipe(
          withFaultPointers(inQuery),
          Effect.flatMap(asAsked(request, query, { name: "agents", table: agentsTable, chart: agentsChart }))
        ),
      broadcasts: ({ query, request }) =>
        readBroadcastFigures({ ...query, page: pageOf(query) }).pipe(
          withFaultPointers(inQuery),
          Effect.flatMap(
            asAsked(request, query, { name: "broadcasts", table: broadcastsTable, chart: broadcastsChart })
          )
        ),
      heatmap: ({ query: { figure = "messages.inbound.total", ...query }, request }) =>
        readHeatmap({ ...query, figure }).pipe(
          withFaultPointers(inQuery),
          Effect.flatMap(asAsked(request, query, { name: "heatmap", table: heatmapTable, chart: heatmapChart }))
        ),
      costs: ({ query: { by = "category", ...query }, request }) =>
        readCosts({ ...query, by }).pipe(
          withFaultPointers(inQuery),
          Effect.flatMap(asAsked(request, query, { name: "costs", table: costsTable, chart: costsChart }))
        ),
      live: ({ query, request }) =>
        readLive(query).pipe(
          withFaultPointers(inQuery),
          Effect.flatMap(asAsked(request, query, { name: "live", table: liveTable, chart: liveChart }))
        )
    })
)
