import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Indexes to list runs by event position, and to find runs that wait for the end of quiet hours. */
export const recalledRuns = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`DROP INDEX automation_runs_of_automation`
  yield* sql`
    CREATE INDEX automation_runs_of_automation ON automation_runs (organization_id, automation_id, event_position, id)`
  yield* sql`DROP INDEX automation_runs_skipped`
  yield* sql`
    CREATE INDEX automation_runs_skipped ON automation_runs (organization_id, automation_id, event_position, id)
    WHERE state = 'skipped'`
  yield* sql`DROP INDEX workflow_runs_of_workflow`
  yield* sql`
    CREATE INDEX workflow_runs_of_workflow
    ON workflow_runs (organization_id, workflow_id, started_at, ((progress ->> 'from')::bigint), id)`
  yield* sql`
    CREATE INDEX automation_runs_quiet ON automation_runs (organization_id, contact_id)
    WHERE queue = 'waiting' AND reason = 'quiet_hours'`
  yield* sql`
    CREATE INDEX workflow_runs_quiet ON workflow_runs (organization_id, contact_id)
    WHERE state = 'waiting' AND reason = 'quiet_hours'`
})
