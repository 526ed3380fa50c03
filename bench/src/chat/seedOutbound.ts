import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { ConnectedLine } from "./provider.ts"

const start = "00000000-0000-7000-"

const hex = (number: number) => number.toString(16).padStart(12, "0")

/** The id of the message with this number. */
export const messageIdAt = (number: number) => `${start}b000-${hex(number)}`

/** The provider's id of the message with this number. */
export const providerIdAt = (number: number) => `wamid.outbound.${String(number).padStart(12, "0")}`

/** The id of the contact with this number. */
export const contactIdAt = (number: number) => `${start}8000-${hex(number)}`

/** The phone number of the contact with this number, in digits only. */
export const phoneAt = (number: number) => `49151${String(number).padStart(8, "0")}`

/** Number of contacts, and the messages to them. */
export interface OutboundSize {
  readonly contacts: number
  readonly messages: number
}

/**
 * Contacts who have written an hour ago, each in an open conversation, and messages that went out to them since then. They go
 * round the numbers: contact n and message n are of the number n % count, and message n is to the contact n % contacts.
 */
export const seedOutbound = Effect.fnUntraced(function* (
  lines: ReadonlyArray<ConnectedLine>,
  { contacts, messages }: OutboundSize
) {
  const sql = yield* SqlClient.SqlClient
  const organizations = lines.map(({ organizationId }) => organizationId)
  const accounts = lines.map(({ chatAccountId }) => chatAccountId)
  const lineOf = (number: string) =>
    sql`(${organizations}::uuid[])[1 + ${sql.literal(number)} % ${lines.length}::integer]`
  const accountOf = (number: string) =>
    sql`(${accounts}::uuid[])[1 + ${sql.literal(number)} % ${lines.length}::integer]`
  const id = (kind: string, number: string) =>
    sql`(${`${start}${kind}-`} || lpad(to_hex(${sql.literal(number)}), 12, '0'))::uuid`
  yield* sql`
    WITH drawn AS (
      SELECT n, ${lineOf("n")} AS organization, ${id("8000", "n")} AS id, '+49151' || lpad(n::text, 8, '0') AS phone,
        date_trunc('milliseconds', now()) - interval '1 hour' AS at
      FROM generate_series(0, ${contacts - 1}::integer) AS n
    ), known AS (
      INSERT INTO contacts (organization_id, id, name, name_key, phone, identities, attributes, tags, marketing,
        last_seen_at, last_inbound_at, created_at, updated_at, version, search)
      SELECT organization, id, 'Known ' || n, 'known ' || n, phone,
        jsonb_build_array(jsonb_build_object('kind', 'phone', 'value', phone, 'source', 'chat',
          'addedAt', to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))), '{}', '{}', 'unknown',
        at, at, at, at, 1, 'known ' || n || chr(9) || substr(phone, 2)
      FROM drawn
      RETURNING organization_id, id, phone
    ), counted AS (
      INSERT INTO contact_counts (organization_id, count) SELECT organization_id, count(*) FROM known GROUP BY 1
    ), words AS (
      INSERT INTO contact_search_words (organization_id, word) SELECT DISTINCT organization_id, 'known' FROM known
    )
    INSERT INTO contact_identities (organization_id, kind, key, contact_id)
    SELECT organization_id, 'phone', phone, id FROM known`
  yield* sql`
    INSERT INTO conversations (organization_id, id, contact_id, chat_account_id, status, priority, labels, inbound_count,
      read_count, last_inbound_at, window_expires_at, last_activity_at, created_at, updated_at, version, recipient,
      recipient_at)
    SELECT ${lineOf("n")}, ${id("9000", "n")}, ${id("8000", "n")}, ${accountOf("n")}, 'open', 'none', '{}', 1, 1, at,
      at + interval '24 hours', at, at, at, 1,
      json_build_object('kind', 'phone', 'value', '+49151' || lpad(n::text, 8, '0')), at
    FROM generate_series(0, ${contacts - 1}::integer) AS n, date_trunc('milliseconds', now() - interval '1 hour') AS at`
  yield* sql`
    INSERT INTO messages (organization_id, id, conversation_id, chat_account_id, direction, kind, text, author_kind,
      author_id, status, provider_message_id, at, sent_at, created_at, words, recipient)
    SELECT ${lineOf("n")}, ${id("b000", "n")}, ${id("9000", `(n % ${contacts})`)}, ${accountOf("n")}, 'outbound', 'text',
      'Your order ' || n || ' is on its way.', 'operator', 'bench', 'sent',
      'wamid.outbound.' || lpad(n::text, 12, '0'), at, at, at,
      array_to_tsvector(ARRAY['your', 'order', n::text, 'is', 'on', 'its', 'way']),
      json_build_object('kind', 'phone', 'value', '+49151' || lpad((n % ${contacts})::text, 8, '0'))
    FROM generate_series(0, ${messages - 1}::integer) AS n, date_trunc('milliseconds', now() - interval '1 minute') AS at`
  yield* sql`VACUUM ANALYZE`
})
