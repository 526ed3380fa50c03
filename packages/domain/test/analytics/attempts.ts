import {
  checkAnalytics,
  readAgents,
  readBroadcastFigures,
  readCosts,
  readHeatmap,
  readLive,
  readOverview,
  readSeries,
  rebuildAnalytics
} from "@parley/domain/analytics"
import { Effect } from "effect"
import { attempt, firstPage, type Prepare, reads } from "../attempting.ts"

/** A valid attempt at every use case of this area. */
export const attempts: Readonly<Record<string, Prepare>> = {
  "analytics.check": reads(() => checkAnalytics()),
  "analytics.overview": reads(() => readOverview({ period: "7d" })),
  "analytics.series": reads(() => readSeries({ figures: ["conversations.open"], by: "day", period: "7d" })),
  "analytics.agents": reads(() => readAgents({ sort: "-replies", period: "7d", page: firstPage })),
  "analytics.broadcasts": reads(() => readBroadcastFigures({ period: "7d", page: firstPage })),
  "analytics.costs": reads(() => readCosts({ by: "category", period: "7d" })),
  "analytics.heatmap": reads(() => readHeatmap({ figure: "conversations.opened", period: "7d" })),
  "analytics.live": reads(() => readLive()),
  "analytics.rebuild": ({ organization }) =>
    Effect.succeed(
      attempt(rebuildAnalytics(), () => ({
        action: "analytics.rebuilt",
        target: { kind: "organization", id: organization.id },
        before: null,
        after: { days: 0, facts: 0, changed: 0 },
        event: null
      }))
    )
}
