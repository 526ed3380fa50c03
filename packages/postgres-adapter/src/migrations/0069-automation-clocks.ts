import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** When automations do something about conversations that are idle and carts that stay abandoned. */
export const automationClocks = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // One that has struck for good has no time any more.
  yield* sql`
    CREATE TABLE automation_clocks (
      organization_id uuid NOT NULL REFERENCES organizations,
      automation_id uuid NOT NULL,
      subject_id uuid NOT NULL,
      position bigint NOT NULL,
      since timestamptz NOT NULL,
      due_at timestamptz,
      PRIMARY KEY (organization_id, automation_id, subject_id)
    ) WITH (fillfactor = 80)`
  yield* sql`
    CREATE INDEX automation_clocks_due ON automation_clocks (organization_id, due_at, automation_id, subject_id)
    WHERE due_at IS NOT NULL`
  yield* sql`CREATE INDEX automation_clocks_struck ON automation_clocks (organization_id, since) WHERE due_at IS NULL`
})
