import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What automations and workflows post to webhooks, and what keeps their actions from having their effects twice. */
export const actions = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`ALTER TABLE webhook_deliveries ADD COLUMN call json, ADD COLUMN contact_id uuid`
  yield* sql`
    CREATE INDEX webhook_deliveries_of_contact ON webhook_deliveries (organization_id, contact_id)
    WHERE contact_id IS NOT NULL`

  yield* sql`
    CREATE TABLE action_effects (
      organization_id uuid NOT NULL REFERENCES organizations,
      run_id uuid NOT NULL,
      step text COLLATE "C" NOT NULL,
      visit integer NOT NULL,
      kind text COLLATE "C" NOT NULL,
      effect_id text COLLATE "C" NOT NULL,
      at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, run_id, step, visit)
    )`
  yield* sql`CREATE INDEX action_effects_by_age ON action_effects (organization_id, at)`
})
