import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Which recipients are kept longer than they have to be, and the reports that stay when they go. */
export const expiredRecipients = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`ALTER TABLE broadcasts ADD COLUMN recipients_deleted_at timestamptz`
  yield* sql`
    CREATE INDEX broadcasts_expiring ON broadcasts (organization_id, recipients_kept_until)
    WHERE recipients_kept_until IS NOT NULL AND recipients_deleted_at IS NULL`
  yield* sql`
    CREATE TABLE broadcast_reports (
      organization_id uuid NOT NULL REFERENCES organizations,
      broadcast_id uuid NOT NULL,
      report json NOT NULL,
      PRIMARY KEY (organization_id, broadcast_id),
      CONSTRAINT broadcast_reports_broadcast FOREIGN KEY (organization_id, broadcast_id) REFERENCES broadcasts
        ON DELETE CASCADE
    )`
})
