import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What providers have delivered, and whose turn it is to be worked for. */
export const deliveries = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // No foreign key: many deliveries of many organizations are stored in one statement, and one must not fail the others.
  // Ids tell the time, so that the table can be cut by them into months. Bodies are read once: the time to compress them
  // is not worth the room.
  yield* sql`
    CREATE TABLE deliveries (
      organization_id uuid NOT NULL,
      id uuid NOT NULL,
      source text NOT NULL,
      state text NOT NULL,
      digest text COLLATE "C" NOT NULL,
      body bytea NOT NULL,
      received_at timestamptz NOT NULL,
      due_at timestamptz NOT NULL,
      applied_at timestamptz,
      attempts integer NOT NULL DEFAULT 0,
      reason text,
      event_count integer,
      unknown_count integer,
      PRIMARY KEY (organization_id, id),
      CONSTRAINT deliveries_digest UNIQUE (organization_id, digest)
    ) WITH (autovacuum_vacuum_scale_factor = 0.02)`
  yield* sql`ALTER TABLE deliveries ALTER COLUMN body SET STORAGE EXTERNAL`
  yield* sql`CREATE INDEX deliveries_waiting ON deliveries (organization_id, id) WHERE state = 'waiting'`
  yield* sql`CREATE INDEX deliveries_parked ON deliveries (organization_id, id) WHERE state = 'parked'`
  yield* sql`CREATE INDEX deliveries_applied ON deliveries USING brin (applied_at)`

  // A lane says that somebody should look after the organization's deliveries, and who does; what waits, they say themselves.
  yield* sql`
    CREATE TABLE delivery_lanes (
      organization_id uuid PRIMARY KEY,
      queued_at timestamptz NOT NULL,
      worker text,
      leased_until timestamptz NOT NULL
    ) WITH (fillfactor = 50)`
  yield* sql`CREATE INDEX delivery_lanes_by_turn ON delivery_lanes (queued_at, organization_id)`
})
