import { Overview, PeriodName } from "@parley/domain"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { drawn, Look } from "./analytics/shapes.ts"
import { alsoAnswers, area, describe } from "./describe.ts"
import { InOrganization, RequestFaults } from "./middleware.ts"
import * as Problems from "./problems.ts"

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
      .annotateMerge(
        alsoAnswers(
          drawn(`date,figure,currency,value
total,conversations.opened,,412
previous,conversations.opened,,380
change,conversations.opened,,8.4
2026-11-20,conversations.opened,,61
`)
        )
      )
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(
    area("Analytics", "What happened in the organization, and what there is to do, in figures and charts.")
  ) {}
