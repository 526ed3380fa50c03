import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Since when a plan or a suspension has held an organization's runs; for those that are held now it counts from here. */
export const workflowHolds = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE workflow_holds (
      organization_id uuid NOT NULL REFERENCES organizations,
      reason text NOT NULL CHECK (reason IN ('plan', 'suspended')),
      since timestamptz NOT NULL,
      PRIMARY KEY (organization_id, reason)
    )`
  yield* sql`
    INSERT INTO workflow_holds (organization_id, reason, since)
    SELECT o.id, h.reason, now() FROM organizations AS o
    CROSS JOIN LATERAL (VALUES ('plan', o.plan <> 'scale'), ('suspended', o.status = 'suspended')) AS h (reason, holds)
    WHERE h.holds AND EXISTS (SELECT 1 FROM workflow_runs AS r WHERE r.organization_id = o.id AND r.ended_at IS NULL)`
})
