import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** From which event on automations start anything: after they were enabled, and after all of them were let go on. */
export const automationStarts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`ALTER TABLE automations ADD COLUMN enabled_after bigint NOT NULL DEFAULT 0`
  yield* sql`ALTER TABLE automation_settings ADD COLUMN resumed_after bigint NOT NULL DEFAULT 0`
})
