import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** On which event a version of a workflow begins, so that no graph is read of those that begin on another one. */
export const entryEvents = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    ALTER TABLE workflow_versions ADD COLUMN entry_event text COLLATE "C"
      GENERATED ALWAYS AS (graph -> 'entry' -> 'event' ->> 'event') STORED`
})
