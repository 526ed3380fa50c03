import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Deliveries are worked through in lanes of their own within an organization: one store keeps no other waiting. */
export const deliveryLanesOfStores = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`ALTER TABLE deliveries ADD COLUMN lane text COLLATE "C" NOT NULL DEFAULT 'all'`
  yield* sql`CREATE INDEX deliveries_waiting_in_lane ON deliveries (organization_id, lane, id) WHERE state = 'waiting'`
  yield* sql`DROP INDEX deliveries_waiting`
})
