import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What plugins are asked to do, until it is forgotten. */
export const pluginCalls = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE plugin_calls (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      plugin_id uuid NOT NULL,
      action text COLLATE "C" NOT NULL,
      key text COLLATE "C" NOT NULL,
      caller text COLLATE "C" NOT NULL,
      run_id text COLLATE "C" NOT NULL,
      contact_id uuid,
      conversation_id uuid,
      input json,
      state text COLLATE "C" NOT NULL,
      output json,
      error json,
      tries smallint NOT NULL,
      due_at timestamptz,
      at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id)
    ) WITH (fillfactor = 80)`
  yield* sql`
    CREATE INDEX plugin_calls_due ON plugin_calls (organization_id, plugin_id, due_at, id) WHERE due_at IS NOT NULL`
  yield* sql`CREATE INDEX plugin_calls_of_contact ON plugin_calls (organization_id, contact_id)`
  yield* sql`CREATE INDEX plugin_calls_by_age ON plugin_calls (organization_id, at) WHERE due_at IS NULL`
})
