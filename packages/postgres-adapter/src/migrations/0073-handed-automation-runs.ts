import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Which merges have handed runs over, so that they are handed back where one is undone. */
export const handedAutomationRuns = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE automation_runs ADD COLUMN handed_by uuid[] NOT NULL DEFAULT '{}'`
})
