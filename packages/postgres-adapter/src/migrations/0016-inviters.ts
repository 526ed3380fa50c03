import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Who answers for an invitation: it admits nobody whom they could not invite any more. */
export const inviters = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`ALTER TABLE members ADD COLUMN invited_by uuid`
  yield* sql`
    UPDATE members AS m SET invited_by = a.actor_id::uuid FROM audit_events AS a
    WHERE m.invitation_digest IS NOT NULL AND a.organization_id = m.organization_id AND a.action = 'member.invited'
      AND a.target_id = m.id::text AND a.actor_kind = 'user'`
})
