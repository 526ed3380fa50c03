import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What a sync of everything has seen of a store, until what it has not seen is found; and when the last such sync began. */
export const storeSightings = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE store_sightings (
      organization_id uuid NOT NULL REFERENCES organizations,
      store_connection_id uuid NOT NULL,
      kind text COLLATE "C" NOT NULL,
      external_id text COLLATE "C" NOT NULL,
      job_id uuid NOT NULL,
      PRIMARY KEY (organization_id, store_connection_id, kind, external_id),
      CONSTRAINT store_sightings_connection FOREIGN KEY (organization_id, store_connection_id)
        REFERENCES store_connections ON DELETE CASCADE
    ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000)`
  yield* sql`ALTER TABLE store_connections ADD COLUMN full_as_of timestamptz`
  // A store was read as a whole when it was connected, and at some time since perhaps.
  yield* sql`UPDATE store_connections SET full_as_of = connected_at WHERE as_of IS NOT NULL`
})
