import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Whose mailbox an account is, links to a new password, how an invitation left, and mails that wait to be sent. */
export const mail = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`ALTER TABLE users ADD COLUMN email_verified_at timestamptz`
  // An operator made these accounts, or gave them their password, and vouched for them. The others were made by whoever
  // had the link of an invitation.
  yield* sql`
    UPDATE users SET email_verified_at = vouched.at FROM (
      SELECT target_id, min(at) AS at FROM audit_events
      WHERE action IN ('user.created', 'user.password_reset') AND target_kind = 'user' GROUP BY target_id
    ) AS vouched WHERE users.id::text = vouched.target_id`

  yield* sql`ALTER TABLE members ADD COLUMN invitation_delivery text`
  yield* sql`UPDATE members SET invitation_delivery = 'link' WHERE invitation_digest IS NOT NULL`

  // By address, not by user: a link is made before anybody looks whether there is a user with it.
  yield* sql`
    CREATE TABLE password_resets (
      digest text PRIMARY KEY,
      email text NOT NULL,
      expires_at timestamptz NOT NULL
    )`
  yield* sql`CREATE INDEX password_resets_email ON password_resets (email)`
  yield* sql`CREATE INDEX password_resets_expiry ON password_resets (expires_at)`

  yield* sql`
    CREATE TABLE mails (
      id uuid PRIMARY KEY,
      sealed_mail text NOT NULL,
      expires_at timestamptz NOT NULL,
      attempts integer NOT NULL,
      sender text,
      runnable_at timestamptz NOT NULL
    )`
  yield* sql`CREATE INDEX mails_due ON mails (runnable_at, id)`
  yield* sql`CREATE INDEX mails_expiry ON mails (expires_at)`
})
