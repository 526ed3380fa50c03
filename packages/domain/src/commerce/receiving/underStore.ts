import { DateTime, Effect } from "effect"
import { transact } from "../../kernel/index.ts"
import type { StoreConnectionId } from "../Ids.ts"
import type { StoreConnection } from "../StoreConnection.ts"
import { StoreConnections } from "../StoreConnections.ts"

/**
 * Changes what is known of a shop, in one unit of work at a time: records that refer to each other are never added past each other. Of a store
 * that is not connected nothing is changed any more, and the answer is `null`.
 */
export const underStore = <A, E, R>(
  id: StoreConnectionId,
  change: (connection: StoreConnection, now: DateTime.Utc) => Effect.Effect<A, E, R>
) =>
  Effect.gen(function* () {
    const connection = yield* (yield* StoreConnections).lock(id)
    return connection?.status === "connected" ? yield* change(connection, yield* DateTime.now) : null
  }).pipe(transact)
