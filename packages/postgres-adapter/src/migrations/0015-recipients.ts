import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Whom a conversation's messages go to, whom each message was written to, and which conversations a merge has joined. */
export const recipients = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    ALTER TABLE conversations ADD COLUMN recipient json, ADD COLUMN recipient_at timestamptz,
      ADD COLUMN other_windows json NOT NULL DEFAULT '[]'`
  yield* sql`ALTER TABLE messages ADD COLUMN recipient json`

  // Until now everything went to the contact's phone, or to the first chat user id of one without a phone.
  yield* sql`
    UPDATE conversations AS c SET recipient = way.recipient, recipient_at = c.last_inbound_at
    FROM (
      SELECT p.organization_id, p.id, CASE WHEN p.phone IS NOT NULL
        THEN json_build_object('kind', 'phone', 'value', p.phone)
        ELSE (
          SELECT json_build_object('kind', 'chat_user', 'value', i.identity ->> 'value')
          FROM jsonb_array_elements(p.identities) WITH ORDINALITY AS i (identity, place)
          WHERE i.identity ->> 'kind' = 'chat_user' ORDER BY i.place LIMIT 1
        ) END AS recipient
      FROM contacts AS p
    ) AS way
    WHERE way.organization_id = c.organization_id AND way.id = c.contact_id AND way.recipient IS NOT NULL`
  // What was sent before may have gone to another number: only of what waits it is certain.
  yield* sql`
    UPDATE messages AS m SET recipient = c.recipient
    FROM sends AS s JOIN conversations AS c ON c.organization_id = s.organization_id AND c.id = s.conversation_id
    WHERE m.organization_id = s.organization_id AND m.id = s.message_id AND NOT s.has_begun`

  // Both conversations as they were before a merge of contacts joined them, and right after.
  yield* sql`
    CREATE TABLE conversation_joins (
      organization_id uuid NOT NULL REFERENCES organizations,
      merge_id uuid NOT NULL,
      kept_id uuid NOT NULL,
      other_id uuid NOT NULL,
      before json NOT NULL,
      after json NOT NULL,
      PRIMARY KEY (organization_id, merge_id, kept_id),
      CONSTRAINT conversation_joins_kept FOREIGN KEY (organization_id, kept_id) REFERENCES conversations ON DELETE CASCADE,
      CONSTRAINT conversation_joins_other FOREIGN KEY (organization_id, other_id) REFERENCES conversations ON DELETE CASCADE
    )`
  yield* sql`CREATE INDEX conversation_joins_by_kept ON conversation_joins (organization_id, kept_id)`
  yield* sql`CREATE INDEX conversation_joins_by_other ON conversation_joins (organization_id, other_id)`
})
