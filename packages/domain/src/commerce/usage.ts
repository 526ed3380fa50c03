import { Effect } from "effect"
import { StoreConnections } from "./StoreConnections.ts"

/** Stores that the app was taken out of take no room. */
export const storeConnectionUse = {
  limit: "storeConnections",
  lock: "store_connections",
  count: Effect.flatMap(StoreConnections, (connections) => connections.count())
} as const
