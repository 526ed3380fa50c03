import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What automations do about events, did, and are to do. */
export const automationRuns = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // No keys to the automation nor to the contact: what was done outlives both of them.
  yield* sql`
    CREATE TABLE automation_runs (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      automation_id uuid NOT NULL,
      automation_version integer NOT NULL,
      ordinal integer NOT NULL,
      lane smallint NOT NULL,
      state text COLLATE "C" NOT NULL,
      reason text COLLATE "C",
      queue text COLLATE "C",
      due_at timestamptz,
      event_position bigint NOT NULL,
      event_type text COLLATE "C" NOT NULL,
      contact_id uuid,
      causation json,
      conditions json,
      actions jsonb NOT NULL,
      created_at timestamptz NOT NULL,
      started_at timestamptz,
      finished_at timestamptz,
      revision integer NOT NULL,
      PRIMARY KEY (organization_id, id)
    ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02)`
  yield* sql`
    CREATE INDEX automation_runs_ready ON automation_runs (organization_id, lane, event_position, ordinal, id)
    WHERE queue = 'ready'`
  yield* sql`
    CREATE INDEX automation_runs_waiting ON automation_runs (organization_id, lane, due_at) WHERE queue = 'waiting'`
  yield* sql`CREATE INDEX automation_runs_calling ON automation_runs (organization_id, contact_id) WHERE queue = 'calling'`
  yield* sql`
    CREATE INDEX automation_runs_of_automation ON automation_runs (organization_id, automation_id, created_at, id)`
  yield* sql`
    CREATE INDEX automation_runs_skipped ON automation_runs (organization_id, automation_id, created_at, id)
    WHERE state = 'skipped'`
  yield* sql`
    CREATE INDEX automation_runs_performed ON automation_runs (organization_id, automation_id, finished_at, id)
    WHERE state IN ('failed', 'succeeded')`
  yield* sql`CREATE INDEX automation_runs_of_contact ON automation_runs (organization_id, contact_id, created_at, id)`
  yield* sql`CREATE INDEX automation_runs_by_age ON automation_runs (organization_id, created_at)`
})
