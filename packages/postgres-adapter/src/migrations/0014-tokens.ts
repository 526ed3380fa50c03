import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Who answers for automation tokens, who invited whom, and from where people have logged in. */
export const tokens = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`ALTER TABLE automation_tokens ADD COLUMN responsible_user_id uuid, ADD COLUMN adopted_at timestamptz`
  yield* sql`UPDATE automation_tokens SET responsible_user_id = created_by`
  yield* sql`ALTER TABLE automation_tokens ALTER COLUMN responsible_user_id SET NOT NULL`

  // Of an invitation that waits since before, the trail knows who made it.
  yield* sql`ALTER TABLE members ADD COLUMN inviter_user_id uuid, ADD COLUMN inviter_token_id uuid`
  yield* sql`
    UPDATE members AS m SET
      inviter_user_id = CASE WHEN a.actor_kind = 'user' THEN a.actor_id::uuid END,
      inviter_token_id = CASE WHEN a.actor_kind = 'token' THEN a.actor_id::uuid END
    FROM audit_events AS a
    WHERE m.status = 'invited' AND a.organization_id = m.organization_id AND a.target_kind = 'member'
      AND a.target_id = m.id::text AND a.action = 'member.invited' AND a.actor_kind IN ('user', 'token')`

  // Both are keyed digests. A slot is what an account's known addresses have a share of the tries in.
  yield* sql`
    CREATE TABLE login_addresses (
      account text NOT NULL,
      slot smallint NOT NULL,
      address text NOT NULL,
      seen_at timestamptz NOT NULL,
      PRIMARY KEY (account, slot)
    )`
  yield* sql`CREATE INDEX login_addresses_seen ON login_addresses (seen_at)`
})
