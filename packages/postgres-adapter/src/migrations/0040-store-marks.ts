import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What stores have told to be changed, until it is read again. Carts are found by when they are due, and by when they were closed. */
export const storeMarks = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE store_marks (
      organization_id uuid NOT NULL REFERENCES organizations,
      store_connection_id uuid NOT NULL,
      kind text COLLATE "C" NOT NULL,
      external_id text COLLATE "C" NOT NULL,
      id uuid NOT NULL,
      told_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, store_connection_id, kind, external_id),
      CONSTRAINT store_marks_connection FOREIGN KEY (organization_id, store_connection_id)
        REFERENCES store_connections ON DELETE CASCADE
    ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`
  yield* sql`
    CREATE INDEX store_marks_by_age ON store_marks (organization_id, store_connection_id, kind, told_at, external_id)`
  yield* sql`
    CREATE INDEX store_carts_open ON store_carts (organization_id, store_connection_id, state, last_activity_at, id)
    WHERE state IN ('active', 'abandoned')`
  yield* sql`
    CREATE INDEX store_carts_by_closing ON store_carts (organization_id, closed_at) WHERE closed_at IS NOT NULL`
})
