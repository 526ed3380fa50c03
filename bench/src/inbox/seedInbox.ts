import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { seedContacts } from "../crm/seedContacts.ts"
import { withoutIndexes } from "../database/withoutIndexes.ts"
import { ToolFailed } from "../load/ToolFailed.ts"
import { activity, agentsEach, labels, numbersEach } from "./seededInbox.ts"
import { sentences } from "./sentences.ts"

/** Amounts, half of them in the first organization. Each contact has two conversations. */
export interface InboxSize {
  readonly conversations: number
  readonly messages: number
  /** How many small organizations share the other half. */
  readonly organizations: number
}

const atOnce = 100_000

const tables = ["conversations", "messages"]

// The end of an organization's id is its place.
const placeOf = "('x' || right(organization_id::text, 5))::bit(20)::integer"

const seedAccounts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    INSERT INTO chat_accounts (organization_id, id, provider, mode, display_name, phone, external_account_id,
      external_phone_id, status, quality_rating, sealed_access_token, created_at, updated_at, version)
    SELECT organization_id, ('00000000-0000-7000-b' || lpad(account::text, 3, '0') || '-' || lpad(to_hex(place), 12, '0'))::uuid,
      'whatsapp', 'platform_app', 'Number ' || account, NULL, 'business.' || place, 'number.' || place || '.' || account,
      'connected', 'unknown', 'nobody sends', now(), now(), 1
    FROM (SELECT id AS organization_id, ${sql.literal(placeOf.replace("organization_id", "id"))} AS place FROM organizations) AS o,
      generate_series(0, ${numbersEach - 1}::integer) AS account`
})

/** Drawn values of each conversation, by number. All other values are derived. */
const draw = Effect.fnUntraced(function* ({ conversations, messages }: InboxSize) {
  const sql = yield* SqlClient.SqlClient
  const average = messages / conversations
  const labelled = sql.join(
    ", ",
    false
  )(labels.map(([label, share]) => sql`CASE WHEN random() < ${share}::float8 THEN ${label}::text END`))
  yield* sql`
    CREATE TEMP TABLE drafts AS
    SELECT number, organization_id, place, contact_id, status, count, ended, step,
      ended - (count - 1) * step AS started,
      ('00000000-0000-7000-b' || lpad(account::text, 3, '0') || '-' || lpad(to_hex(place), 12, '0'))::uuid AS account_id,
      CASE WHEN agent < ${agentsEach} THEN
        ('00000000-0000-7000-a' || lpad(agent::text, 3, '0') || '-' || lpad(to_hex(place), 12, '0'))::uuid END AS assignee_id,
      (lpad(to_hex(floor(extract(epoch FROM ended - (count - 1) * step) * 1000)::bigint), 12, '0') || '7'
        || lpad(to_hex(number & 4095), 3, '0') || '9' || substr(md5('conversation ' || number), 1, 15))::uuid AS id,
      array_remove(ARRAY[${labelled}], NULL) AS labels,
      (ARRAY['low', 'medium', 'high', 'urgent'])[1 + floor(random() * 20)::integer] AS priority,
      (count + 1) / 2 AS inbound,
      CASE WHEN random() < CASE status WHEN 'resolved' THEN 0.01 ELSE 0.4 END THEN 1 + floor(random() * 3)::integer ELSE 0 END AS unread
    FROM (
      SELECT number, organization_id, ${sql.literal(placeOf)} AS place, contact_id,
        CASE WHEN is_first OR state >= 0.2 THEN 'resolved' WHEN state < 0.1 THEN 'open' WHEN state < 0.16 THEN 'pending' ELSE 'snoozed' END AS status,
        CASE WHEN length < 0.0001 THEN 200 * ${average}::float8 WHEN length < 0.01 THEN 20 * ${average}::float8
          ELSE 1 + floor((0.8 * ${average}::float8 - 0.5) * -ln(1 - random())) END::integer AS count,
        to_timestamp(${activity.first / 1_000}::float8) + floor(random() * ${activity.wholeSeconds}::float8) * interval '1 second' AS ended,
        (30 + floor(random() * 3600)) * interval '1 second' AS step,
        CASE WHEN random() < 0.7 THEN 0 WHEN random() < 0.7 THEN 1 ELSE 2 END AS account,
        floor(random() * 16)::integer AS agent
      FROM (
        SELECT 2 * place + turn AS number, turn = 0 AS is_first, organization_id, id AS contact_id, random() AS state,
          random() AS length
        FROM (SELECT organization_id, id, (row_number() OVER (ORDER BY id) - 1)::integer AS place FROM contacts) AS c,
          generate_series(0, 1) AS turn
      ) AS met
    ) AS drawn`
  yield* sql`
    CREATE TEMP TABLE sentences AS
    SELECT place - 1 AS place, text, string_to_array(words, ' ') AS words
    FROM unnest(${sentences.map(({ text }) => text)}::text[], ${sentences.map(({ words }) => words.join(" "))}::text[])
      WITH ORDINALITY AS s (text, words, place)`
  yield* sql`ANALYZE drafts`
  yield* sql`ANALYZE sentences`
})

const spoken = (number: string, place: string) => ({
  sentence: `(${number}::bigint * 7 + ${place} * 13) % ${sentences.length}`,
  // Every twentieth message names an order, as no other does.
  code: `CASE WHEN (${number} + ${place}) % 20 = 0 THEN (100000 + (${number}::bigint * 31 + ${place} * 7) % 900000)::text END`,
  id: (at: string) =>
    `(lpad(to_hex(floor(extract(epoch FROM ${at}) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(${place}::integer & 4095), 3, '0')
      || 'a' || substr(md5(${number} || '.' || ${place}), 1, 15))::uuid`
})

const seedConversations = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const last = spoken("number", "count")
  yield* sql`
    INSERT INTO conversations (organization_id, id, contact_id, chat_account_id, status, priority, assignee_id,
      snoozed_until, labels, inbound_count, read_count, last_message, last_inbound_at, window_expires_at, resolved_at,
      last_activity_at, created_at, updated_at, version, recipient, recipient_at)
    SELECT d.organization_id, d.id, contact_id, account_id, status, COALESCE(priority, 'none'), assignee_id,
      CASE status WHEN 'snoozed' THEN timestamptz '2090-01-01Z' END, labels, inbound, greatest(0, inbound - unread),
      json_build_object('id', ${sql.literal(last.id("ended"))}, 'direction', CASE count % 2 WHEN 1 THEN 'inbound' ELSE 'outbound' END,
        'kind', 'text', 'text', concat_ws(' ', s.text, ${sql.literal(last.code)}),
        'at', to_char(ended AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
      inbound_at, inbound_at + interval '24 hours', CASE status WHEN 'resolved' THEN ended END, ended, started, ended, count,
      CASE WHEN p.phone IS NOT NULL THEN json_build_object('kind', 'phone', 'value', p.phone) END, inbound_at
    FROM drafts AS d JOIN sentences AS s ON s.place = ${sql.literal(last.sentence)}
      JOIN contacts AS p ON p.organization_id = d.organization_id AND p.id = d.contact_id,
      LATERAL (SELECT ended - CASE count % 2 WHEN 1 THEN interval '0' ELSE step END AS inbound_at) AS i
    ORDER BY started`
  yield* sql`
    INSERT INTO conversation_counts (organization_id, resolved)
    SELECT organization_id, count(*) FROM conversations WHERE status = 'resolved' GROUP BY 1`
})

// In arrival order: messages of one conversation are mixed with others.
const seedMessages = Effect.fnUntraced(function* (from: number) {
  const sql = yield* SqlClient.SqlClient
  const each = spoken("number", "k")
  yield* sql`
    INSERT INTO messages (organization_id, id, conversation_id, chat_account_id, direction, kind, text, author_kind,
      author_id, status, provider_message_id, at, sent_at, delivered_at, read_at, created_at, words, recipient)
    SELECT d.organization_id, ${sql.literal(each.id("at"))}, d.id, account_id,
      CASE WHEN is_inbound THEN 'inbound' ELSE 'outbound' END, 'text', concat_ws(' ', s.text, code),
      CASE WHEN is_inbound THEN 'contact' ELSE 'user' END,
      CASE WHEN is_inbound THEN contact_id ELSE COALESCE(assignee_id, author_id) END::text,
      CASE WHEN is_inbound THEN 'received' WHEN is_read THEN 'read' ELSE 'delivered' END,
      'wamid.' || number || '.' || k, at, CASE WHEN NOT is_inbound THEN at + interval '1 second' END,
      CASE WHEN NOT is_inbound THEN at + interval '2 seconds' END,
      CASE WHEN NOT is_inbound AND is_read THEN at + interval '20 seconds' END, at,
      array_to_tsvector(CASE WHEN code IS NULL THEN s.words ELSE s.words || code END),
      CASE WHEN NOT is_inbound AND p.phone IS NOT NULL THEN json_build_object('kind', 'phone', 'value', p.phone) END
    FROM drafts AS d JOIN contacts AS p ON p.organization_id = d.organization_id AND p.id = d.contact_id CROSS JOIN LATERAL generate_series(1, d.count) AS k
    CROSS JOIN LATERAL (
      SELECT ended - (count - k) * step AS at, k % 2 = 1 AS is_inbound, k < count AS is_read, ${sql.literal(each.code)} AS code,
        ('00000000-0000-7000-a001-' || lpad(to_hex(d.place), 12, '0'))::uuid AS author_id
    ) AS m
    JOIN sentences AS s ON s.place = ${sql.literal(each.sentence)}
    WHERE number >= ${from}::integer AND number < ${from + atOnce}::integer
    ORDER BY at`.unprepared
})

/** Checks on some conversations that their stored fields equal their messages. */
const requireTrue = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly looked: number; readonly wrong: number }>`
    SELECT count(*)::integer AS looked, count(*) FILTER (WHERE NOT COALESCE(
      m.inbound = c.inbound_count AND m.last_inbound_at = c.last_inbound_at AND l.at = c.last_activity_at
        AND l.text = c.last_message ->> 'text' AND l.direction = c.last_message ->> 'direction' AND c.read_count <= c.inbound_count
        AND m.first_at = c.created_at AND (c.status = 'resolved') = (c.resolved_at IS NOT NULL), false))::integer AS wrong
    FROM (SELECT * FROM conversations ORDER BY md5(id::text) LIMIT 2000) AS c
    CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE direction = 'inbound') AS inbound, min(at) AS first_at,
        max(at) FILTER (WHERE direction = 'inbound') AS last_inbound_at
      FROM messages WHERE organization_id = c.organization_id AND conversation_id = c.id
    ) AS m
    LEFT JOIN LATERAL (
      SELECT at, text, direction FROM messages
      WHERE organization_id = c.organization_id AND id = (c.last_message ->> 'id')::uuid AND conversation_id = c.id
    ) AS l ON true`
  if (row?.wrong !== 0) {
    const output = `Of ${row?.looked} conversations, ${row?.wrong} say something else than their messages.`
    return yield* new ToolFailed({ tool: "seed-inbox", output })
  }
})

/** Fills a migrated database with contacts, their conversations and messages by few large statements. */
export const seedInbox = Effect.fnUntraced(function* (size: InboxSize) {
  const sql = yield* SqlClient.SqlClient
  yield* seedContacts({ contacts: size.conversations / 2, organizations: size.organizations })
  yield* Effect.logInfo("Drawing conversations")
  yield* seedAccounts
  yield* draw(size)
  yield* withoutIndexes(
    tables,
    Effect.gen(function* () {
      yield* seedConversations
      yield* Effect.logInfo(`${size.conversations} conversations`)
      for (let from = 0; from < size.conversations; from += atOnce) {
        yield* seedMessages(from)
        yield* Effect.logInfo(`messages of ${Math.min(from + atOnce, size.conversations)} conversations`)
      }
    })
  )
  yield* sql`DROP TABLE drafts, sentences`
  yield* sql`VACUUM ANALYZE`
  yield* requireTrue
})
