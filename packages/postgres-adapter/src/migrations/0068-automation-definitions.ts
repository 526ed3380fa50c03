import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What automations do and when, each version of it, and what holds for all of them. */
export const automationDefinitions = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // What there was could do nothing: it is not there to be enabled without an event and actions.
  yield* sql`
    ALTER TABLE automations
      ADD COLUMN disabled_reason text COLLATE "C",
      ADD COLUMN position integer NOT NULL DEFAULT 1,
      ADD COLUMN trigger json,
      ADD COLUMN trigger_event text COLLATE "C",
      ADD COLUMN condition json NOT NULL DEFAULT '{}',
      ADD COLUMN actions json NOT NULL DEFAULT '[]',
      ADD COLUMN named text[] COLLATE "C" NOT NULL DEFAULT '{}'`
  yield* sql`
    UPDATE automations AS t SET position = r.position, enabled = false
    FROM (SELECT organization_id, id, row_number() OVER (PARTITION BY organization_id ORDER BY id) AS position
      FROM automations) AS r
    WHERE t.organization_id = r.organization_id AND t.id = r.id`
  yield* sql`
    CREATE INDEX automations_enabled ON automations (organization_id, trigger_event, position) WHERE enabled`

  yield* sql`
    CREATE TABLE automation_versions (
      organization_id uuid NOT NULL,
      automation_id uuid NOT NULL,
      version integer NOT NULL,
      trigger json,
      condition json NOT NULL,
      actions json NOT NULL,
      PRIMARY KEY (organization_id, automation_id, version),
      FOREIGN KEY (organization_id, automation_id) REFERENCES automations ON DELETE CASCADE
    )`
  yield* sql`
    INSERT INTO automation_versions (organization_id, automation_id, version, trigger, condition, actions)
    SELECT organization_id, id, version, trigger, condition, actions FROM automations`

  yield* sql`
    CREATE TABLE automation_settings (
      organization_id uuid NOT NULL REFERENCES organizations,
      paused boolean NOT NULL,
      version integer NOT NULL,
      PRIMARY KEY (organization_id)
    )`
})
