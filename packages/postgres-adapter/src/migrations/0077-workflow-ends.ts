import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** When runs ended that are forgotten, for workflows that let nobody in again, or only after some time. */
export const workflowEnds = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    ALTER TABLE workflow_versions ADD COLUMN remembers boolean NOT NULL
      GENERATED ALWAYS AS (coalesce(graph #>> '{entry,reentry}', 'always') <> 'always') STORED`
  yield* sql`
    CREATE TABLE workflow_ends (
      organization_id uuid NOT NULL,
      workflow_id uuid NOT NULL,
      key uuid NOT NULL,
      ended_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, workflow_id, key),
      FOREIGN KEY (organization_id, workflow_id) REFERENCES workflows ON DELETE CASCADE
    )`
  yield* sql`CREATE INDEX workflow_ends_of_key ON workflow_ends (organization_id, key)`
})
