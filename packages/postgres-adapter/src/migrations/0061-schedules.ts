import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** When somebody is there: the hours of a week, and the days on which they do not count. */
export const schedules = Effect.gen(function* () {
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
})
