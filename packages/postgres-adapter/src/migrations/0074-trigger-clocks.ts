import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Clocks are of automations and of workflows; what was logged while a workflow was not active begins no runs of it. */
export const triggerClocks = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`ALTER TABLE automation_clocks RENAME TO trigger_clocks`
  yield* sql`ALTER TABLE trigger_clocks RENAME COLUMN automation_id TO owner_id`
  yield* sql`ALTER TABLE trigger_clocks ADD COLUMN kind text COLLATE "C" NOT NULL DEFAULT 'automation'`
  yield* sql`ALTER TABLE trigger_clocks ALTER COLUMN kind DROP DEFAULT`
  yield* sql`ALTER INDEX automation_clocks_pkey RENAME TO trigger_clocks_pkey`
  yield* sql`ALTER INDEX automation_clocks_struck RENAME TO trigger_clocks_struck`
  yield* sql`DROP INDEX automation_clocks_due`
  yield* sql`
    CREATE INDEX trigger_clocks_due ON trigger_clocks (organization_id, kind, due_at, owner_id, subject_id)
    WHERE due_at IS NOT NULL`

  yield* sql`ALTER TABLE workflows ADD COLUMN active_after bigint NOT NULL DEFAULT 0`
})
