import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What is asked for before each run begins or after it has failed is found without going through all that there was before, as are runs that wait for something. */
export const narrowRunIndexes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`DROP INDEX automation_runs_of_contact`
  yield* sql`CREATE INDEX automation_runs_of_contact ON automation_runs (organization_id, contact_id, started_at)`
  yield* sql`DROP INDEX automation_runs_performed`
  yield* sql`
    CREATE INDEX automation_runs_performed
    ON automation_runs (organization_id, automation_id, automation_version, finished_at, id)
    WHERE state IN ('failed', 'succeeded')`
  yield* sql`DROP INDEX workflow_runs_held`
  yield* sql`
    CREATE INDEX workflow_runs_held ON workflow_runs (organization_id, reason, due_at) WHERE state = 'held'`
})
