import { analyticsFigures } from "./analyticsFigures.ts"
import { analyticsLoad } from "./analyticsLoad.ts"
import { analyticsOrders } from "./analyticsOrders.ts"
import { analyticsRecords } from "./analyticsRecords.ts"
import { rollupStore } from "./rollupStore.ts"
import { startedBroadcasts } from "./startedBroadcasts.ts"

export { analyticsFiguresContract } from "./analyticsFigures.ts"
export { analyticsLoadContract } from "./analyticsLoad.ts"
export { analyticsOrdersContract } from "./analyticsOrders.ts"
export { analyticsRecordsContract } from "./analyticsRecords.ts"
export { rollupStoreContract } from "./rollupStore.ts"
export { startedBroadcastsContract } from "./startedBroadcasts.ts"

export const analyticsContracts = [
  rollupStore,
  analyticsFigures,
  analyticsLoad,
  analyticsRecords,
  analyticsOrders,
  startedBroadcasts
]
