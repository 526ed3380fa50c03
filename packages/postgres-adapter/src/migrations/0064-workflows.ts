import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Workflows, and the versions of them that were published. */
export const workflows = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE workflows (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      name text NOT NULL,
      status text NOT NULL,
      published_version integer,
      graph json NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      version integer NOT NULL,
      PRIMARY KEY (organization_id, id)
    )`

  yield* sql`
    CREATE TABLE workflow_versions (
      organization_id uuid NOT NULL,
      workflow_id uuid NOT NULL,
      number integer NOT NULL,
      graph json NOT NULL,
      published_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, workflow_id, number),
      FOREIGN KEY (organization_id, workflow_id) REFERENCES workflows ON DELETE CASCADE
    )`
})
