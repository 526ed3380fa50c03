import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Weekly schedules and the away replies that were sent. */
const schedules = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE schedules (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      name text NOT NULL,
      timezone text,
      weekly json NOT NULL,
      holidays json NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      version integer NOT NULL,
      PRIMARY KEY (organization_id, id)
    )`

  yield* sql`
    CREATE TABLE away_replies (
      organization_id uuid NOT NULL,
      conversation_id uuid NOT NULL,
      schedule_id uuid NOT NULL,
      at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, conversation_id, schedule_id),
      CONSTRAINT away_replies_conversation FOREIGN KEY (organization_id, conversation_id) REFERENCES conversations
        ON DELETE CASCADE,
      CONSTRAINT away_replies_schedule FOREIGN KEY (organization_id, schedule_id) REFERENCES schedules
        ON DELETE CASCADE
    )`
  yield* sql`CREATE INDEX away_replies_by_schedule ON away_replies (organization_id, schedule_id)`
})

/** Automations, their versions and settings. */
const automations = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // `action_types` and `dependencies` repeat parts of the definition, so a run starts without reading it.
  yield* sql`
    CREATE TABLE automations (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      name text NOT NULL,
      name_key text COLLATE "C" NOT NULL,
      enabled boolean NOT NULL,
      enabled_after_position bigint NOT NULL DEFAULT 0,
      disabled_reason text COLLATE "C",
      position integer NOT NULL DEFAULT 1,
      trigger json,
      trigger_event text COLLATE "C",
      condition json NOT NULL DEFAULT '{}',
      actions json NOT NULL DEFAULT '[]',
      action_types text[] NOT NULL DEFAULT '{}',
      dependencies text[] COLLATE "C" NOT NULL DEFAULT '{}',
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      version integer NOT NULL,
      PRIMARY KEY (organization_id, id)
    )`
  yield* sql`CREATE INDEX automations_enabled ON automations (organization_id, trigger_event, position) WHERE enabled`

  yield* sql`
    CREATE TABLE automation_versions (
      organization_id uuid NOT NULL,
      automation_id uuid NOT NULL,
      version integer NOT NULL,
      trigger json,
      condition json NOT NULL,
      actions json NOT NULL,
      PRIMARY KEY (organization_id, automation_id, version),
      FOREIGN KEY (organization_id, automation_id) REFERENCES automations ON DELETE CASCADE
    )`

  yield* sql`
    CREATE TABLE automation_trigger_urls (
      organization_id uuid NOT NULL,
      automation_id uuid NOT NULL,
      token_digest text COLLATE "C" NOT NULL,
      sealed_secret text,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, automation_id),
      FOREIGN KEY (organization_id, automation_id) REFERENCES automations ON DELETE CASCADE
    )`

  // The last processed contact has no foreign key, because it can be deleted before the next one is processed.
  yield* sql`
    CREATE TABLE automation_clocks (
      organization_id uuid NOT NULL,
      automation_id uuid NOT NULL,
      due_at timestamptz NOT NULL,
      after_contact_id uuid,
      PRIMARY KEY (organization_id, automation_id),
      FOREIGN KEY (organization_id, automation_id) REFERENCES automations ON DELETE CASCADE
    )`
  yield* sql`CREATE INDEX automation_clocks_due ON automation_clocks (organization_id, due_at, automation_id)`

  // Has no foreign keys to the automation and the contact, because its runs outlive both.
  yield* sql`
    CREATE TABLE automation_trigger_calls (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      automation_id uuid NOT NULL,
      contact_id uuid NOT NULL,
      data json NOT NULL,
      at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id)
    )`
  yield* sql`
    CREATE INDEX automation_trigger_calls_of_contact ON automation_trigger_calls (organization_id, contact_id)`
  yield* sql`CREATE INDEX automation_trigger_calls_by_age ON automation_trigger_calls (organization_id, at)`

  yield* sql`
    CREATE TABLE automation_settings (
      organization_id uuid PRIMARY KEY REFERENCES organizations,
      paused boolean NOT NULL,
      resumed_after_position bigint NOT NULL DEFAULT 0,
      version integer NOT NULL
    )`

  // Timers of automations and workflows. A timer that has fired for the last time has no due time.
  yield* sql`
    CREATE TABLE trigger_timers (
      organization_id uuid NOT NULL REFERENCES organizations,
      kind text COLLATE "C" NOT NULL,
      owner_id uuid NOT NULL,
      subject_id uuid NOT NULL,
      position bigint NOT NULL,
      since timestamptz NOT NULL,
      due_at timestamptz,
      PRIMARY KEY (organization_id, owner_id, subject_id)
    ) WITH (fillfactor = 80)`
  yield* sql`
    CREATE INDEX trigger_timers_due ON trigger_timers (organization_id, kind, due_at, owner_id, subject_id)
    WHERE due_at IS NOT NULL`
  yield* sql`CREATE INDEX trigger_timers_fired ON trigger_timers (organization_id, since) WHERE due_at IS NULL`
})

/** Runs of automations and the effects of their actions. */
const automationRuns = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Has no foreign keys to the automation and the contact, because runs outlive both.
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
      transferred_by uuid[] NOT NULL DEFAULT '{}',
      causation json,
      conditions json,
      actions jsonb NOT NULL,
      rerun_of uuid,
      rerun_actions text COLLATE "C",
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
  yield* sql`
    CREATE INDEX automation_runs_calling ON automation_runs (organization_id, contact_id) WHERE queue = 'calling'`
  yield* sql`
    CREATE INDEX automation_runs_of_automation ON automation_runs
    (organization_id, automation_id, event_position, id)`
  yield* sql`
    CREATE INDEX automation_runs_by_state ON automation_runs
    (organization_id, automation_id, state, event_position, id)`
  yield* sql`
    CREATE INDEX automation_runs_performed ON automation_runs
    (organization_id, automation_id, automation_version, finished_at, id) WHERE state IN ('failed', 'succeeded')`
  yield* sql`CREATE INDEX automation_runs_of_contact ON automation_runs (organization_id, contact_id, started_at)`
  yield* sql`
    CREATE INDEX automation_runs_performed_for ON automation_runs (organization_id, contact_id, created_at, id)
    WHERE state <> 'skipped'`
  yield* sql`
    CREATE INDEX automation_runs_rerun_of ON automation_runs (organization_id, rerun_of) WHERE rerun_of IS NOT NULL`
  yield* sql`CREATE INDEX automation_runs_by_age ON automation_runs (organization_id, created_at)`
  yield* sql`
    CREATE INDEX automation_runs_quiet ON automation_runs (organization_id, contact_id)
    WHERE queue = 'waiting' AND reason = 'quiet_hours'`

  // Prevents that a repeated action has its effect twice.
  yield* sql`
    CREATE TABLE action_effects (
      organization_id uuid NOT NULL REFERENCES organizations,
      run_id uuid NOT NULL,
      step text COLLATE "C" NOT NULL,
      visit integer NOT NULL,
      kind text COLLATE "C" NOT NULL,
      effect_id text COLLATE "C" NOT NULL,
      at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, run_id, step, visit)
    )`
  yield* sql`CREATE INDEX action_effects_by_age ON action_effects (organization_id, at)`
  yield* sql`
    CREATE INDEX action_effects_of_contact ON action_effects (organization_id, effect_id) WHERE kind = 'contact'`

  // Has no foreign keys to the run and the contact, because it outlives both.
  yield* sql`
    CREATE TABLE http_calls (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      origin text COLLATE "C" NOT NULL,
      key text COLLATE "C" NOT NULL,
      caller text COLLATE "C" NOT NULL,
      run_id text COLLATE "C" NOT NULL,
      contact_id uuid,
      request json,
      state text COLLATE "C" NOT NULL,
      output json,
      error json,
      attempts smallint NOT NULL,
      due_at timestamptz,
      at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id)
    ) WITH (fillfactor = 80)`
  yield* sql`
    CREATE INDEX http_calls_due ON http_calls (organization_id, origin, due_at, id) WHERE due_at IS NOT NULL`
  yield* sql`CREATE INDEX http_calls_of_contact ON http_calls (organization_id, contact_id)`
  yield* sql`CREATE INDEX http_calls_by_age ON http_calls (organization_id, at) WHERE due_at IS NULL`
})

/** Workflows and their published versions. */
const workflows = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE workflows (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      name text NOT NULL,
      name_key text COLLATE "C" NOT NULL,
      status text NOT NULL,
      published_version integer,
      active_after_position bigint NOT NULL DEFAULT 0,
      graph json NOT NULL,
      entry_event text COLLATE "C"
        GENERATED ALWAYS AS (graph -> 'entry' -> 'event' ->> 'event') STORED,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      version integer NOT NULL,
      PRIMARY KEY (organization_id, id)
    )`

  // The generated columns select versions without reading their graphs.
  yield* sql`
    CREATE TABLE workflow_versions (
      organization_id uuid NOT NULL,
      workflow_id uuid NOT NULL,
      number integer NOT NULL,
      graph json NOT NULL,
      published_at timestamptz NOT NULL,
      entry_event text COLLATE "C"
        GENERATED ALWAYS AS (graph -> 'entry' -> 'event' ->> 'event') STORED,
      keeps_run_keys boolean NOT NULL
        GENERATED ALWAYS AS (coalesce(graph #>> '{entry,reentry}', 'always') <> 'always') STORED,
      PRIMARY KEY (organization_id, workflow_id, number),
      FOREIGN KEY (organization_id, workflow_id) REFERENCES workflows ON DELETE CASCADE
    )`
})

/** Runs of workflows. */
const workflowRuns = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Has no foreign keys to the workflow and the contact, because runs outlive both.
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
      ended_by text COLLATE "C",
      start_position bigint,
      start_type text COLLATE "C",
      conditions json,
      input json NOT NULL DEFAULT '{}',
      event_position bigint,
      event_type text COLLATE "C",
      causation json,
      rerun_of uuid,
      progress jsonb NOT NULL,
      transferred_by uuid[] NOT NULL DEFAULT '{}',
      started_at timestamptz NOT NULL,
      ended_at timestamptz,
      revision integer NOT NULL,
      PRIMARY KEY (organization_id, id)
    ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02)`
  yield* sql`
    CREATE UNIQUE INDEX workflow_runs_live ON workflow_runs (organization_id, workflow_id, key)
    WHERE ended_at IS NULL`
  yield* sql`
    CREATE INDEX workflow_runs_due ON workflow_runs (organization_id, workflow_id, lane, due_at)
    WHERE due_at IS NOT NULL`
  yield* sql`
    CREATE INDEX workflow_runs_under_way ON workflow_runs (organization_id, contact_id) WHERE ended_at IS NULL`
  yield* sql`
    CREATE INDEX workflow_runs_before ON workflow_runs (organization_id, workflow_id, key, ended_at)
    WHERE ended_at IS NOT NULL AND node IS NOT NULL`
  yield* sql`
    CREATE INDEX workflow_runs_of_workflow ON workflow_runs
    (organization_id, workflow_id, started_at, ((progress ->> 'from')::bigint), id)`
  yield* sql`
    CREATE INDEX workflow_runs_by_state ON workflow_runs
    (organization_id, workflow_id, state, started_at, ((progress ->> 'from')::bigint), id)`
  yield* sql`
    CREATE INDEX workflow_runs_rerun_of ON workflow_runs (organization_id, rerun_of) WHERE rerun_of IS NOT NULL`
  yield* sql`CREATE INDEX workflow_runs_of_contact ON workflow_runs (organization_id, contact_id, started_at, id)`
  yield* sql`
    CREATE INDEX workflow_runs_of_event ON workflow_runs (organization_id, start_position)
    WHERE start_position IS NOT NULL`
  yield* sql`
    CREATE INDEX workflow_runs_by_end ON workflow_runs (organization_id, ended_at) WHERE ended_at IS NOT NULL`
  yield* sql`CREATE INDEX workflow_runs_held ON workflow_runs (organization_id, reason, due_at) WHERE state = 'held'`
  yield* sql`
    CREATE INDEX workflow_runs_quiet ON workflow_runs (organization_id, contact_id)
    WHERE state = 'waiting' AND reason = 'quiet_hours'`

  yield* sql`
    CREATE TABLE workflow_run_steps (
      organization_id uuid NOT NULL,
      run_id uuid NOT NULL,
      position integer NOT NULL,
      node text COLLATE "C" NOT NULL,
      visit integer NOT NULL,
      state text COLLATE "C" NOT NULL,
      effect json,
      output json,
      error jsonb,
      conditions json,
      at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, run_id, position),
      FOREIGN KEY (organization_id, run_id) REFERENCES workflow_runs ON DELETE CASCADE
    )`

  // End times of deleted runs, for workflows that limit how often a contact enters.
  yield* sql`
    CREATE TABLE workflow_run_ends (
      organization_id uuid NOT NULL,
      workflow_id uuid NOT NULL,
      key uuid NOT NULL,
      ended_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, workflow_id, key),
      FOREIGN KEY (organization_id, workflow_id) REFERENCES workflows ON DELETE CASCADE
    )`
  yield* sql`CREATE INDEX workflow_run_ends_of_key ON workflow_run_ends (organization_id, key)`

  // Time since when a plan or a suspension holds the runs of an organization.
  yield* sql`
    CREATE TABLE workflow_holds (
      organization_id uuid NOT NULL REFERENCES organizations,
      reason text NOT NULL CHECK (reason IN ('plan', 'suspended')),
      since timestamptz NOT NULL,
      PRIMARY KEY (organization_id, reason)
    )`
})

/** Tables of schedules, automations and workflows. */
export const automation = Effect.all([schedules, automations, automationRuns, workflows, workflowRuns], {
  discard: true
})
