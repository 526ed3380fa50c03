import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Keeps servers from working through what is delivered: it is somebody else's turn with every organization, for good. */
export const holdDeliveries = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    INSERT INTO delivery_lanes (organization_id, queued_at, worker, leased_until)
    SELECT id, now(), 'bench', 'infinity' FROM organizations ORDER BY id
    ON CONFLICT (organization_id) DO UPDATE SET worker = 'bench', leased_until = 'infinity'`
)

/** Lets servers work through what is delivered. */
export const letDeliveries = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`TRUNCATE delivery_lanes`)

/** Takes all deliveries away. */
export const clearDeliveries = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`TRUNCATE deliveries`)

/** How many deliveries are there in each state. */
export const deliveryStates = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly state: string; readonly count: number }>`
    SELECT state, count(*)::integer AS count FROM deliveries GROUP BY state`
  const counts = new Map(rows.map(({ count, state }) => [state, count]))
  const of = (state: string) => counts.get(state) ?? 0
  return { waiting: of("waiting"), applied: of("applied"), parked: of("parked") }
})
