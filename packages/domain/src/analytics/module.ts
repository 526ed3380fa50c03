import { Effect } from "effect"
import { defineArea, transact } from "../kernel/index.ts"
import { sweepOrganizations } from "../platform/background/index.ts"
import { Organizations } from "../platform/identity/index.ts"
import { RollupStore } from "./RollupStore.ts"
import { AnalyticsFigures } from "./AnalyticsFigures.ts"
import { AnalyticsLoad } from "./AnalyticsLoad.ts"
import { AnalyticsRecords } from "./AnalyticsRecords.ts"
import { StartedBroadcasts } from "./BroadcastFigures.ts"
import { analyticsData } from "./contactData.ts"
import { catchUpBroadcasts } from "./counting/countBroadcasts.ts"
import { analyticsEventConsumers } from "./counting/countingEventConsumer.ts"
import { verifyNightly } from "./rebuildRollups.ts"

const analyticsStorage = [RollupStore, AnalyticsFigures, AnalyticsLoad, AnalyticsRecords, StartedBroadcasts] as const

const catchUpCounts = Effect.gen(function* () {
  const rollups = yield* RollupStore
  if ((yield* rollups.find()) === null) return
  const state = yield* rollups.lock((yield* (yield* Organizations).current()).timezone)
  yield* catchUpBroadcasts(state, [state.version])
}).pipe(transact)

const analyticsTasks = [
  sweepOrganizations("figures of broadcasts", catchUpCounts, "housekeeping"),
  sweepOrganizations("analytics rollups", verifyNightly)
] as const

export const analyticsArea = defineArea({
  name: "analytics",
  storage: analyticsStorage,
  permissions: ["analytics.read", "agent_analytics.read"],
  eventConsumers: analyticsEventConsumers,
  backgroundTasks: analyticsTasks,
  contactDataOwners: [analyticsData]
})
