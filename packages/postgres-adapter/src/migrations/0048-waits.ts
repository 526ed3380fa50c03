import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Who waits for an answer in which conversation, what answers have ended, and the stretches between opening and resolving. */
export const waits = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    ALTER TABLE conversations ADD COLUMN waiting_since timestamptz, ADD COLUMN first_replied_at timestamptz,
      ADD COLUMN first_reply_id uuid, ADD COLUMN wait_round integer NOT NULL DEFAULT 0, ADD COLUMN stretch integer,
      ADD COLUMN stretch_started_at timestamptz, ADD COLUMN stretch_resolved_at timestamptz,
      ADD COLUMN stretch_resolver_kind text, ADD COLUMN stretch_resolver_id text`
  // What an answer has ended: null for what is no answer, or is not accepted.
  yield* sql`ALTER TABLE messages ADD COLUMN ended_wait_since timestamptz, ADD COLUMN wait_round integer`
  // Those before the one that stands on the conversation: few are opened again.
  yield* sql`
    CREATE TABLE past_stretches (
      organization_id uuid NOT NULL REFERENCES organizations,
      conversation_id uuid NOT NULL,
      stretch integer NOT NULL,
      started_at timestamptz NOT NULL,
      resolved_at timestamptz,
      resolver_kind text,
      resolver_id text,
      PRIMARY KEY (organization_id, conversation_id, stretch),
      CONSTRAINT past_stretches_conversation FOREIGN KEY (organization_id, conversation_id) REFERENCES conversations
        ON DELETE CASCADE
    )`
  yield* pastWaits
  yield* pastStretches
  // What is checked at the end of the transaction is checked now: no index is made while it waits.
  yield* sql`SET CONSTRAINTS ALL IMMEDIATE`
  yield* sql`SET CONSTRAINTS ALL DEFERRED`
  yield* sql`
    CREATE INDEX conversations_waiting ON conversations (organization_id, waiting_since, id)
    WHERE waiting_since IS NOT NULL`
  yield* sql`
    CREATE INDEX conversations_by_priority ON conversations (organization_id, priority, last_activity_at, id)
    WHERE priority <> 'none'`
  // Nobody knows who waited when these were joined: what has become of that since stands.
  const unknown = sql`'{"waitingSince": null, "firstRepliedAt": null, "firstReplyId": null, "waitRound": 0, "stretch": null}'::jsonb`
  const both = (
    column: "before" | "after"
  ) => sql`json_build_object('kept', ${unknown} || (${sql(column)}::jsonb -> 'kept'),
    'other', ${unknown} || (${sql(column)}::jsonb -> 'other'))`
  yield* sql`UPDATE conversation_joins SET before = ${both("before")}, after = ${both("after")}`
})

/** Who has waited until now: from the messages, and from what the log of events has of conversations that were resolved. */
const pastWaits = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // What blocked contacts wrote was not told. Who wrote a word to opt out has it as evidence of that.
  yield* sql`
    CREATE TEMPORARY TABLE past_waits ON COMMIT DROP AS
    WITH told AS MATERIALIZED (
      SELECT organization_id, (data ->> 'messageId')::uuid AS id FROM events WHERE type = 'message.received'
    ),
    items AS (
      SELECT m.organization_id, m.conversation_id, m.created_at AS t, 0 AS rank, m.at, m.id, false AS by_person
      FROM messages AS m JOIN told AS e ON e.organization_id = m.organization_id AND e.id = m.id
      JOIN conversations AS c ON c.organization_id = m.organization_id AND c.id = m.conversation_id
      WHERE m.kind NOT IN ('system', 'reaction', 'revocation') AND NOT EXISTS (
        SELECT FROM consent_changes AS s WHERE s.organization_id = m.organization_id AND s.contact_id = c.contact_id
          AND s.source = 'chat_keyword' AND s.state = 'unsubscribed' AND s.at = m.at AND s.evidence = m.text)
      UNION ALL
      SELECT organization_id, conversation_id, LEAST(sent_at, delivered_at, read_at), 2, NULL, id,
        author_kind <> 'token'
      FROM messages WHERE direction = 'outbound' AND kind NOT IN ('reaction', 'revocation')
        AND author_kind IN ('user', 'operator', 'phone_app', 'token') AND status IN ('sent', 'delivered', 'read')
        AND LEAST(sent_at, delivered_at, read_at) IS NOT NULL
      UNION ALL
      SELECT organization_id, (data ->> 'conversationId')::uuid, at, 1, NULL, NULL, false FROM events
      WHERE type = 'conversation.status_changed' AND data ->> 'to' = 'resolved'
    ),
    numbered AS (
      SELECT *, count(*) FILTER (WHERE rank > 0) OVER earlier AS cleared, count(*) FILTER (WHERE rank = 1) OVER earlier AS round
      FROM items WINDOW earlier AS (
        PARTITION BY organization_id, conversation_id ORDER BY t, rank, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
    )
    SELECT *, min(at) FILTER (WHERE rank = 0) OVER (PARTITION BY organization_id, conversation_id, cleared) AS since,
      max(cleared + (rank > 0)::integer) OVER (PARTITION BY organization_id, conversation_id) AS clearings
    FROM numbered`
  yield* sql`
    UPDATE messages AS m SET ended_wait_since = w.since, wait_round = w.round FROM past_waits AS w
    WHERE w.rank = 2 AND m.organization_id = w.organization_id AND m.id = w.id`
  yield* sql`
    UPDATE conversations AS c SET wait_round = w.rounds, first_replied_at = w.first_replied_at,
      first_reply_id = w.first_reply_id, waiting_since = CASE WHEN c.status <> 'resolved' AND p.blocked_at IS NULL THEN w.since END
    FROM (
      SELECT organization_id, conversation_id, count(*) FILTER (WHERE rank = 1) AS rounds,
        min(at) FILTER (WHERE rank = 0 AND cleared = clearings) AS since,
        min(t) FILTER (WHERE rank = 2 AND by_person AND since IS NOT NULL) AS first_replied_at,
        (array_agg(id ORDER BY t, id) FILTER (WHERE rank = 2 AND by_person AND since IS NOT NULL))[1] AS first_reply_id
      FROM past_waits GROUP BY organization_id, conversation_id
    ) AS w, contacts AS p
    WHERE c.organization_id = w.organization_id AND c.id = w.conversation_id
      AND p.organization_id = c.organization_id AND p.id = c.contact_id`
})

/**
 * The stretches until now. A move counts that the contact or the team has made, and no join of a merge: then a message comes right after it in the log, or it
 * stands in the trail.
 */
const pastStretches = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TEMPORARY TABLE known_stretches ON COMMIT DROP AS
    WITH moves AS MATERIALIZED (
      SELECT e.organization_id, (e.data ->> 'conversationId')::uuid AS conversation_id, e.position, e.at, e.actor_kind,
        e.actor_id, e.data ->> 'from' AS moved_from, e.data ->> 'to' AS moved_to, n.type AS next_type,
        (n.data ->> 'messageId')::uuid AS next_id
      FROM events AS e LEFT JOIN events AS n ON n.organization_id = e.organization_id AND n.position = e.position + 1
        AND n.type IN ('message.received', 'message.queued') AND n.data ->> 'conversationId' = e.data ->> 'conversationId'
      WHERE e.type = 'conversation.opened'
        OR (e.type = 'conversation.status_changed' AND 'resolved' IN (e.data ->> 'from', e.data ->> 'to'))
    ),
    counted AS (
      SELECT m.*, m.moved_to IS DISTINCT FROM 'resolved' AS begins FROM moves AS m
      WHERE m.moved_from IS NULL OR m.next_type IS NOT NULL OR EXISTS (
        SELECT FROM audit_events AS a WHERE a.organization_id = m.organization_id AND a.target_kind = 'conversation'
          AND a.target_id = m.conversation_id::text AND a.action = 'conversation.updated'
          AND a.before ->> 'status' = m.moved_from AND a.after ->> 'status' = m.moved_to
          AND a.at BETWEEN m.at - interval '5 seconds' AND m.at + interval '5 seconds')
    ),
    ordered AS (
      SELECT *, lead(moved_from) OVER own AS next_from, count(*) OVER own AS place FROM counted
      WINDOW own AS (PARTITION BY organization_id, conversation_id ORDER BY position)
    ),
    -- What opened resolved begins with its first move out.
    begun AS (
      SELECT o.*, sum((o.begins AND NOT o.is_quiet)::integer) OVER (
        PARTITION BY o.organization_id, o.conversation_id ORDER BY o.position) AS stretch
      FROM (
        SELECT o.*, o.moved_from IS NULL AND (o.next_from = 'resolved' OR (o.next_from IS NULL AND c.status = 'resolved')) AS is_quiet
        FROM ordered AS o JOIN conversations AS c ON c.organization_id = o.organization_id AND c.id = o.conversation_id
      ) AS o
    )
    SELECT b.organization_id, b.conversation_id, b.stretch::integer AS stretch,
      min(CASE WHEN b.next_type = 'message.received' THEN m.at ELSE b.at END) FILTER (WHERE b.begins AND NOT b.is_quiet) AS started_at,
      max(b.at) FILTER (WHERE NOT b.begins) AS resolved_at,
      (array_agg(b.actor_kind ORDER BY b.position DESC) FILTER (WHERE NOT b.begins))[1] AS resolver_kind,
      (array_agg(b.actor_id ORDER BY b.position DESC) FILTER (WHERE NOT b.begins))[1] AS resolver_id,
      max(b.stretch) OVER (PARTITION BY b.organization_id, b.conversation_id) = b.stretch AS is_last
    FROM begun AS b LEFT JOIN messages AS m ON m.organization_id = b.organization_id AND m.id = b.next_id
    WHERE b.stretch > 0 GROUP BY b.organization_id, b.conversation_id, b.stretch`
  yield* sql`
    INSERT INTO past_stretches (organization_id, conversation_id, stretch, started_at, resolved_at, resolver_kind, resolver_id)
    SELECT organization_id, conversation_id, stretch, started_at, resolved_at, resolver_kind, resolver_id
    FROM known_stretches WHERE NOT is_last`
  yield* sql`
    UPDATE conversations AS c SET stretch = k.stretch, stretch_started_at = k.started_at,
      stretch_resolved_at = k.resolved_at, stretch_resolver_kind = k.resolver_kind, stretch_resolver_id = k.resolver_id
    FROM known_stretches AS k
    WHERE k.is_last AND c.organization_id = k.organization_id AND c.id = k.conversation_id`
  yield* sql`
    UPDATE conversations SET stretch = 1, stretch_started_at = created_at WHERE stretch IS NULL AND status <> 'resolved'`
})
