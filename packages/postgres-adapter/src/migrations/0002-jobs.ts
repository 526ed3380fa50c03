import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Long work: what is to be done, how far it is, and who has it in hand until when. */
export const jobs = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Rows change with every step, so there is room on the page for the next version.
  yield* sql`
    CREATE TABLE jobs (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      kind text NOT NULL,
      state text NOT NULL,
      progress_done integer NOT NULL,
      progress_total integer,
      counts jsonb NOT NULL,
      error text,
      result_url text,
      cancel_requested boolean NOT NULL,
      creator_kind text NOT NULL,
      creator_id text NOT NULL,
      permissions text[] NOT NULL,
      input jsonb,
      checkpoint jsonb,
      attempts integer NOT NULL,
      runner text,
      runnable_at timestamptz NOT NULL,
      created_at timestamptz NOT NULL,
      started_at timestamptz,
      finished_at timestamptz,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id)
    ) WITH (fillfactor = 70)`
  yield* sql`CREATE INDEX jobs_unfinished ON jobs (organization_id, id) WHERE state IN ('queued', 'running')`
})
