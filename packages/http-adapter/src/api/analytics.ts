import {
  Agents,
  AgentSort,
  BroadcastFigures,
  Currency,
  Heatmap,
  HeatmapFigure,
  Live,
  Overview,
  PeriodName,
  Series,
  SeriesStep
} from "@parley/domain"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { agentsCsv, broadcastsCsv, heatmapCsv, liveCsv, overviewCsv, seriesCsv } from "./analytics/tables.ts"
import { drawn, Look, OfAccount, Range, SeriesFigures } from "./analytics/shapes.ts"
import { alsoAnswers, area, describe } from "./describe.ts"
import { InOrganization, RequestFaults } from "./middleware.ts"
import * as Problems from "./problems.ts"
import { PageQuery } from "./shapes.ts"

const ofAccount = [Problems.PermissionDenied, Problems.NotFound] as const
const paged = [Problems.PermissionDenied, Problems.CursorInvalid] as const

/** Analytics: what happened, counted as it happens. */
export class AnalyticsApi extends HttpApiGroup.make("analytics")
  .add(
    HttpApiEndpoint.get("overview", "/analytics/overview", {
      query: {
        period: PeriodName.annotateKey({ description: "Today so far and the 6 days before it, or the 29." }),
        ...Look
      },
      success: Overview,
      error: [Problems.PermissionDenied]
    })
      .annotateMerge(
        describe(
          "readAnalyticsOverview",
          "Read an overview",
          "What happened today so far and on the days before it, in the organization's time zone, with the period before up to the same local time, the change in per cent, and each day. `load` is who looks after how many conversations now: with `agent_analytics.read` of everybody, else of yourself. As CSV a line for each figure, as SVG four charts. What each figure is, the guide Analytics says."
        )
      )
      .annotateMerge(alsoAnswers(drawn(overviewCsv))),
    HttpApiEndpoint.get("series", "/analytics/series", {
      query: {
        figure: SeriesFigures,
        by: SeriesStep.annotateKey({
          description: "What a bucket is: an hour (of 7 days at most), a local day, a week from Monday on, or a month."
        }),
        currency: Schema.optionalKey(Currency).annotateKey({
          description: "The currency of figures that are money; the organization's own if not said."
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
          "readAnalyticsSeries",
          "Read figures over time",
          "One value for each bucket: a bucket is named by its first day in the range, an hour by its instant in UTC. As CSV a line for each bucket, as SVG a chart for each unit. With `chatAccountId` not for contacts and commerce."
        )
      )
      .annotateMerge(alsoAnswers(drawn(seriesCsv))),
    HttpApiEndpoint.get("agents", "/analytics/agents", {
      query: {
        sort: Schema.optionalKey(AgentSort).annotateKey({
          description: "Who comes first: whoever has most replies, if not said."
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
          "readAgentAnalytics",
          "Read what members have done",
          "What each has sent, answered and resolved, and how long answers took; medians of fewer than five are `null`. `open` and `waiting` are as they are now. Who has left is `former`. With `agent_analytics.read` of everybody, else of yourself. As SVG bars of replies."
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
          "readBroadcastAnalytics",
          "Read what came of broadcasts",
          "Those that started in the range, newest first, with what came of them by now. As SVG bars of their rates."
        )
      )
      .annotateMerge(alsoAnswers(drawn(broadcastsCsv))),
    HttpApiEndpoint.get("heatmap", "/analytics/heatmap", {
      query: {
        figure: Schema.optionalKey(HeatmapFigure).annotateKey({
          description: "What is counted; messages that came in, if not said."
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
          "readAnalyticsHeatmap",
          "Read when in the week something happens",
          "Seven rows from Monday on, of 24 local hours each. `occurrences` says how often each hour was in the range, so that `values` divided by it is the usual hour."
        )
      )
      .annotateMerge(alsoAnswers(drawn(heatmapCsv))),
    HttpApiEndpoint.get("live", "/analytics/live", {
      query: { ...OfAccount, ...Look },
      success: Live,
      error: ofAccount
    })
      .annotateMerge(
        describe(
          "readLiveAnalytics",
          "Read what there is to do now",
          "How many conversations are in which status, how many nobody looks after, and for how long contacts have waited: a wait is counted in the first of `steps` that it fits."
        )
      )
      .annotateMerge(alsoAnswers(drawn(liveCsv)))
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(
    area("Analytics", "What happened in the organization, and what there is to do, in figures and charts.")
  ) {}
