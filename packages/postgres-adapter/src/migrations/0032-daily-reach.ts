import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Whom businesses have written to in the last 24 hours, and how many that are. */
export const dailyReach = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Whoever counts locks the row of the business, so that all its numbers together keep to the limit, whichever processes own them.
  yield* sql`
    CREATE TABLE daily_reach_counts (
      organization_id uuid NOT NULL REFERENCES organizations,
      provider text COLLATE "C" NOT NULL,
      business_id text COLLATE "C" NOT NULL,
      reached integer NOT NULL DEFAULT 0 CHECK (reached >= 0),
      PRIMARY KEY (organization_id, provider, business_id)
    ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200)`

  // Digests of those who were written to: a row is gone a day later.
  yield* sql`
    CREATE TABLE daily_reach (
      organization_id uuid NOT NULL REFERENCES organizations,
      provider text COLLATE "C" NOT NULL,
      business_id text COLLATE "C" NOT NULL,
      recipient bytea NOT NULL,
      reached_at timestamptz NOT NULL,
      former_at timestamptz,
      PRIMARY KEY (organization_id, provider, business_id, recipient)
    )`
  yield* sql`
    CREATE INDEX daily_reach_by_time ON daily_reach (organization_id, provider, business_id, reached_at)`
})
