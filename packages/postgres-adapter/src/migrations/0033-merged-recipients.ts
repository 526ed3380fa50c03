import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Recipients follow contacts that are merged: whose they are now, and by which merges, here and on lists that were kept. */
export const mergedRecipients = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Goes up whenever anybody but the sender changes who is pending, so that a claim knows that what it has read is void.
  yield* sql`ALTER TABLE broadcasts ADD COLUMN list_revision integer NOT NULL DEFAULT 0`
  yield* sql`ALTER TABLE broadcast_recipients ADD COLUMN handed_by uuid[]`

  // A contact has one place of its own on a list, and beside it those of contacts that were merged into it.
  yield* sql`
    CREATE UNIQUE INDEX broadcast_recipients_own ON broadcast_recipients
    (organization_id, contact_id, broadcast_id, (CASE WHEN handed_by IS NULL THEN 0 ELSE seq END))`
  yield* sql`ALTER TABLE broadcast_recipients DROP CONSTRAINT broadcast_recipients_contact`
  yield* sql`
    CREATE INDEX broadcast_recipients_handed ON broadcast_recipients (organization_id, broadcast_id, contact_id)
    WHERE handed_by IS NOT NULL`

  // A list that is kept is read in the order of its contacts, so that whoever is merged keeps the place.
  yield* sql`ALTER TABLE audience_snapshot_contacts ADD COLUMN handed_to uuid, ADD COLUMN handed_by uuid[]`
  yield* sql`
    CREATE INDEX audience_snapshot_contacts_handed ON audience_snapshot_contacts (organization_id, handed_to)
    WHERE handed_to IS NOT NULL`
})
