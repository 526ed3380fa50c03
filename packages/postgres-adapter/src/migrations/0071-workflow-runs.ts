import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Who is on their way through workflows, and what they did there. */
export const workflowRuns = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // No keys to the workflow nor to the contact: what was done outlives both of them.
  yield* sql`
    CREATE TABLE workflow_runs (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      workflow_id uuid NOT NULL,
      workflow_version integer NOT NULL,
      lane smallint NOT NULL,
      state text COLLATE "C" NOT NULL,
      reason text COLLATE "C",
      contact_id uuid,
      key uuid,
      node text COLLATE "C",
      wake_at timestamptz,
      due_at timestamptz,
      goals json NOT NULL,
      event_position bigint,
      event_type text COLLATE "C",
      causation json,
      progress jsonb NOT NULL,
      handed_by uuid[] NOT NULL DEFAULT '{}',
      started_at timestamptz NOT NULL,
      ended_at timestamptz,
      revision integer NOT NULL,
      PRIMARY KEY (organization_id, id)
    ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02)`
  yield* sql`
    CREATE UNIQUE INDEX workflow_runs_live ON workflow_runs (organization_id, workflow_id, key) WHERE ended_at IS NULL`
  yield* sql`
    CREATE INDEX workflow_runs_due ON workflow_runs (organization_id, workflow_id, lane, due_at) WHERE due_at IS NOT NULL`
  yield* sql`CREATE INDEX workflow_runs_under_way ON workflow_runs (organization_id, contact_id) WHERE ended_at IS NULL`
  yield* sql`
    CREATE INDEX workflow_runs_before ON workflow_runs (organization_id, workflow_id, key, ended_at)
    WHERE ended_at IS NOT NULL AND node IS NOT NULL`
  yield* sql`CREATE INDEX workflow_runs_of_workflow ON workflow_runs (organization_id, workflow_id, started_at, id)`
  yield* sql`CREATE INDEX workflow_runs_of_contact ON workflow_runs (organization_id, contact_id, started_at, id)`
  yield* sql`CREATE INDEX workflow_runs_by_end ON workflow_runs (organization_id, ended_at) WHERE ended_at IS NOT NULL`
  yield* sql`CREATE INDEX workflow_runs_held ON workflow_runs (organization_id, reason) WHERE state = 'held'`

  yield* sql`
    CREATE TABLE workflow_run_steps (
      organization_id uuid NOT NULL,
      run_id uuid NOT NULL,
      place integer NOT NULL,
      node text COLLATE "C" NOT NULL,
      visit integer NOT NULL,
      state text COLLATE "C" NOT NULL,
      effect json,
      output json,
      error jsonb,
      conditions json,
      at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, run_id, place),
      FOREIGN KEY (organization_id, run_id) REFERENCES workflow_runs ON DELETE CASCADE
    )`
})
