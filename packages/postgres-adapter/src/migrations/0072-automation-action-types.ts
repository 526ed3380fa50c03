import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What automations do by the types of their actions, so that runs begin without reading all that they say. */
export const automationActionTypes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE automations ADD COLUMN action_types text[] NOT NULL DEFAULT '{}'`
  yield* sql`
    UPDATE automations SET action_types = ARRAY(
      SELECT action ->> 'type' FROM json_array_elements(actions) WITH ORDINALITY AS each (action, place) ORDER BY place)`
})
