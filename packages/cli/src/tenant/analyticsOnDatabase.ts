import { readAgents, readBroadcastFigures, readHeatmap, readLive, readOverview, readSeries } from "@parley/domain"
import type { Calls } from "./Tenant.ts"
import { type Here, pageOf } from "./webhooksOnDatabase.ts"

/** The calls about what happened as the use cases behind them. */
export const analyticsOnDatabase = (here: Here): Pick<Calls, "analytics"> => ({
  analytics: {
    overview: ({ query }) => here(readOverview(query.period)),
    series: ({ query: { figure: figures, ...query } }) => here(readSeries({ ...query, figures })),
    agents: ({ query = {} } = {}) => here(readAgents({ ...query, sort: query.sort ?? "-replies" }, pageOf(query))),
    broadcasts: ({ query = {} } = {}) => here(readBroadcastFigures(query, pageOf(query))),
    heatmap: ({ query = {} } = {}) => here(readHeatmap({ ...query, figure: query.figure ?? "messages.inbound.total" })),
    live: ({ query = {} } = {}) => here(readLive(query.chatAccountId))
  }
})
