import { Currency, LocalDate } from "@parley/domain/kernel"
import { ChatAccountId } from "@parley/domain/messaging"
import {
  Agents,
  AgentSort,
  BroadcastFigures,
  CostDimension,
  Costs,
  Heatmap,
  HeatmapFigure,
  LiveWorkload,
  Overview,
  PeriodName,
  Series,
  SeriesFigure,
  SeriesStep
} from "@parley/domain/analytics"
import { Schema, SchemaGetter } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { alsoAnswers, area, describe } from "./describe.ts"
import { InOrganization, RequestFaults } from "./middleware.ts"
import * as Problems from "./problems.ts"
import { PageQuery } from "./shapes.ts"

const size = (minimum: number, maximum: number) => {
  const message = `Expected a whole number from ${minimum} to ${maximum}`
  return Schema.String.check(Schema.isPattern(/^[1-9]\d{0,3}$/u, { message })).pipe(
    Schema.decodeTo(Schema.Int.check(Schema.isBetween({ minimum, maximum }, { message })), {
      decode: SchemaGetter.transform(Number),
      encode: SchemaGetter.transform(String)
    })
  )
}

/** Format of an answer, and appearance of a chart. */
const Look = {
  format: Schema.optionalKey(Schema.Literals(["json", "csv", "svg"])).annotateKey({
    description: "Format of the answer. Default: the format of `Accept`, otherwise JSON."
  }),
  width: Schema.optionalKey(size(320, 2_000)).annotateKey({
    description: "Width of a chart in pixels, 320 to 2000. Default: 960."
  }),
  height: Schema.optionalKey(size(200, 1_200)).annotateKey({
    description: "Height of a chart in pixels, 200 to 1200. Default: 480."
  }),
  theme: Schema.optionalKey(Schema.Literals(["light", "dark", "auto"])).annotateKey({
    description: "Colours of a chart; `auto` follows the device of the reader. Default: `light`."
  })
}

/** Requested local days. */
const Range = {
  period: Schema.optionalKey(PeriodName).annotateKey({
    description: "Today so far and the previous 6 or 29 days. Use either this, or `from` and `to`."
  }),
  from: Schema.optionalKey(LocalDate).annotateKey({
    description: "First day, for example 2026-11-01; not before 2000-01-01."
  }),
  to: Schema.optionalKey(LocalDate).annotateKey({
    description: "Last day; not after today, and within 366 days of the first day."
  })
}

/** Over which number. */
const OfAccount = {
  chatAccountId: Schema.optionalKey(ChatAccountId).annotateKey({
    description: "Only figures of this chat account, even if it was removed."
  })
}

/** Requested figures. */
const SeriesFigures = Schema.Array(SeriesFigure)
  .check(
    Schema.isBetweenLength(1, 10, { message: "Expected 1 to 10 figures" }),
    Schema.isUnique({ message: "Expected each figure once" })
  )
  .annotateKey({
    description: "Figure by its path in the overview, for example `conversations.opened`; 1 to 10 times."
  })

const chartExample =
  '<svg xmlns="http://www.w3.org/2000/svg" role="img" width="960" height="480" viewBox="0 0 960 480"><title>Overview</title></svg>'

/** An answer as a table and as a chart. */
const drawn = (csv: string) =>
  ({
    "text/csv": { schema: { type: "string" }, example: csv },
    "image/svg+xml": { schema: { type: "string" }, example: chartExample }
  }) as const

/** An overview as a table. */
const overviewCsv = `date,figure,currency,value
total,conversations.opened,,412
previous,conversations.opened,,380
change,conversations.opened,,8.4
2026-11-20,conversations.opened,,61
`

/** Series as a table. */
const seriesCsv = `bucket,conversations.opened
2026-11-19,58
2026-11-20,61
`

/** Members as a table. */
const agentsCsv = `id,name,status,sent,replies,resolved,open,waiting,firstResponse.count,firstResponse.medianSeconds,firstResponse.p90Seconds,reply.count,reply.medianSeconds,reply.p90Seconds,resolution.count,resolution.medianSeconds,resolution.p90Seconds
01934a10-61a8-7d22-9e4c-1b2c3d4e5f60,Ada Lovelace,active,310,205,64,9,2,120,187,2416,205,187,2416,64,5412,86400
`

/** Broadcasts as a table. */
const broadcastsCsv = `id,name,status,startedAt,matched,sent,delivered,read,replied,failed,inDoubt,optedOut,deliveredRate,readRate,repliedRate,attributedOrders,attributed.EUR
01934bd0-1a2b-7c3d-8e4f-506172839405,Sale,completed,2026-11-20T09:00:00.000Z,5300,5200,5011,3570,298,81,0,6,0.9637,0.7124,0.0595,12,58400
`

/** Costs as a table. */
const costsCsv = `key,name,currency,amount,messages,free,withoutRate
total,,EUR,588113000,5320,118,2
marketing,,EUR,588113000,5200,0,0
service,,EUR,0,120,118,2
`

/** A heatmap as a table. */
const heatmapCsv = `weekday,hour,value,occurrences
monday,0,0,1
monday,1,3,1
`

/** Pending work as a table. */
const liveCsv = `figure,value
open,63
pending,4
snoozed,11
unassigned,7
waiting.count,12
waiting.longestSeconds,5412
waiting.upTo.300,12
`

const ofAccount = [Problems.PermissionDenied, Problems.NotFound] as const
const paged = [Problems.PermissionDenied, Problems.CursorInvalid] as const

/** Analytics: what happened, counted as it happens. */
export class AnalyticsApi extends HttpApiGroup.make("analytics")
  .add(
    HttpApiEndpoint.get("overview", "/analytics/overview", {
      query: {
        period: PeriodName.annotateKey({ description: "Today so far and the previous 6 or 29 days." }),
        ...Look
      },
      success: Overview,
      error: [Problems.PermissionDenied]
    })
      .annotateMerge(
        describe(
          "getAnalyticsOverview",
          "Get the analytics overview",
          "Today so far and the days before it, in the organization's time zone. It includes the previous period up to the same local time, the change in percent, and each day. `load` is the current number of conversations per member: with `agent_analytics.read` for all members, otherwise for yourself. CSV has one line per figure, SVG has four charts. The guide Analytics defines each figure."
        )
      )
      .annotateMerge(alsoAnswers(drawn(overviewCsv))),
    HttpApiEndpoint.get("series", "/analytics/series", {
      query: {
        figure: SeriesFigures,
        by: SeriesStep.annotateKey({
          description: "Bucket size: an hour (at most 7 days), a local day, a week from Monday, or a month."
        }),
        currency: Schema.optionalKey(Currency).annotateKey({
          description:
            "The currency of `commerce.gross`, `refunded`, `net`, `attributed` and `attributedOrders`; the organization's own if not said. Amounts in other currencies are in no row: ask once for each currency of the overview."
        }),
        ...Range,
        ...OfAccount,
        ...Look
      },
      success: Series,
      error: ofAccount
    })
      .annotateMerge(
        describe(
          "getAnalyticsSeries",
          "Get figures over time",
          "One value per bucket. A bucket is named after its first day in the range, an hour after its instant in UTC. CSV has one line per bucket, SVG has one chart per unit. `chatAccountId` does not apply to contacts and commerce."
        )
      )
      .annotateMerge(alsoAnswers(drawn(seriesCsv))),
    HttpApiEndpoint.get("agents", "/analytics/agents", {
      query: {
        sort: Schema.optionalKey(AgentSort).annotateKey({
          description: "Sort order. Default: most replies first."
        }),
        ...Range,
        ...PageQuery,
        ...Look
      },
      success: Agents,
      error: paged
    })
      .annotateMerge(
        describe(
          "getAgentAnalytics",
          "Get the figures of members",
          "Messages sent, replies and resolved conversations per member, and the duration of replies. Medians of fewer than five values are `null`. `open` and `waiting` are current values. `former` marks members who have left. With `agent_analytics.read` for all members, otherwise for yourself. SVG shows replies as bars."
        )
      )
      .annotateMerge(alsoAnswers(drawn(agentsCsv))),
    HttpApiEndpoint.get("broadcasts", "/analytics/broadcasts", {
      query: { ...Range, ...PageQuery, ...Look },
      success: BroadcastFigures,
      error: paged
    })
      .annotateMerge(
        describe(
          "getBroadcastAnalytics",
          "Get the figures of broadcasts",
          "Broadcasts that started in the range, newest first, with their current results. SVG shows their rates as bars."
        )
      )
      .annotateMerge(alsoAnswers(drawn(broadcastsCsv))),
    HttpApiEndpoint.get("heatmap", "/analytics/heatmap", {
      query: {
        figure: Schema.optionalKey(HeatmapFigure).annotateKey({
          description: "Counted figure. Default: incoming messages."
        }),
        ...Range,
        ...OfAccount,
        ...Look
      },
      success: Heatmap,
      error: ofAccount
    })
      .annotateMerge(
        describe(
          "getAnalyticsHeatmap",
          "Get a weekly heatmap",
          "Seven rows, starting with Monday, with 24 local hours each. `occurrences` is the number of times that each hour is in the range: `values` divided by it is the average."
        )
      )
      .annotateMerge(alsoAnswers(drawn(heatmapCsv))),
    HttpApiEndpoint.get("costs", "/analytics/costs", {
      query: {
        by: Schema.optionalKey(CostDimension).annotateKey({
          description: "Dimension of the rows. Default: `category`."
        }),
        currency: Schema.optionalKey(Currency).annotateKey({
          description:
            "Currency of the rates. Default: the organization's currency. Amounts are not converted between currencies."
        }),
        ...Range,
        ...OfAccount,
        ...Look
      },
      success: Costs,
      error: ofAccount
    })
      .annotateMerge(
        describe(
          "getAnalyticsCosts",
          "Get the costs of messages",
          "Costs of delivered messages by day, week, month, category, country or chat account, by the rate cards that the operator has imported. Each message counts once, on the day of its delivery. Amounts are sums in 1/10,000 of the smallest unit and never rounded. Messages without a rate are in `withoutRate`. SVG shows the amounts of days, weeks and months as lines, and others as bars. It rounds them to the smallest unit."
        )
      )
      .annotateMerge(alsoAnswers(drawn(costsCsv))),
    HttpApiEndpoint.get("live", "/analytics/live", {
      query: { ...OfAccount, ...Look },
      success: LiveWorkload,
      error: ofAccount
    })
      .annotateMerge(
        describe(
          "getLiveAnalytics",
          "Get live workload",
          "Number of conversations per status, number of unassigned conversations, and the waiting times of contacts. Each wait is counted in the first of `steps` that it fits."
        )
      )
      .annotateMerge(alsoAnswers(drawn(liveCsv)))
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(area("Analytics", "Figures and charts about past activity and current workload.")) {}
