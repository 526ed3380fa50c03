import { PgTypes } from "@effect/sql-pg"
import {
  type AcceptedAnswer,
  type ChatAccountId,
  type ConversationId,
  isByPerson,
  type MessageAuthor,
  Waits
} from "@parley/domain/messaging"
import { deferToNext } from "@parley/pg-pipeline"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Instant, utc, utcOrNull } from "../../kernel/columns.ts"
import { isAmong } from "../../kernel/isOneOf.ts"
import { tenantPort } from "../../kernel/tenantPort.ts"
import { type EpisodeRow, episodeOf, waitingOf, type WaitingRow } from "./conversationRow.ts"
import { instant } from "./instant.ts"
import { messageColumns, messageOf, type MessageRow } from "./messageRow.ts"

interface AnswerRow extends Pick<AcceptedAnswer, "conversationId" | "messageId" | "round"> {
  readonly acceptedAt: Instant
  readonly since: Instant | null
  readonly authorKind: MessageAuthor["kind"]
}

const answerOf = ({ acceptedAt, authorKind, since, ...row }: AnswerRow): AcceptedAnswer => ({
  ...row,
  acceptedAt: utc(acceptedAt),
  since: utcOrNull(since),
  byPerson: isByPerson({ author: { kind: authorKind, id: row.messageId } })
})

type HeldRow = Omit<WaitingRow, "id">

export const layer = Layer.effect(
  Waits,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql.literal(messageColumns)

    return tenantPort(Waits, {
      lockMessages: Effect.fnUntraced(function* (organization, chatAccountId, of) {
        if (of.length === 0) return []
        const conversations = of.map(({ conversationId }) => conversationId)
        const messages = of.map(({ messageId }) => messageId)
        // Conversations are locked before their messages are joined, and so before any message is locked.
        const rows = yield* sql<MessageRow & HeldRow>`
          WITH held AS MATERIALIZED (
            SELECT id AS held_id, waiting_since, first_replied_at, first_reply_id, wait_number FROM conversations
            WHERE organization_id = ${organization.id} AND ${isAmong(sql, "id", conversations)} ORDER BY id FOR UPDATE
          )
          SELECT ${columns}, held.waiting_since AS "waitingSince", held.first_replied_at AS "firstRepliedAt",
            held.first_reply_id AS "firstReplyId", held.wait_number AS "waitRound"
          FROM held JOIN messages ON messages.conversation_id = held.held_id
          WHERE messages.organization_id = ${organization.id} AND ${isAmong(sql, "messages.id", messages)}
            AND messages.chat_account_id = ${chatAccountId}
          ORDER BY messages.id FOR NO KEY UPDATE OF messages`
        const places = new Map(of.map(({ conversationId, messageId }) => [messageId, conversationId]))
        return rows
          .filter(({ conversationId, id }) => places.get(id) === conversationId)
          .map((row) => ({ message: messageOf(row), waiting: waitingOf({ ...row, id: row.conversationId }) }))
      }),
      answers: Effect.fnUntraced(function* (organization, of) {
        if (of.length === 0) return []
        const rows = yield* sql<AnswerRow>`
          SELECT DISTINCT ON (m.id) m.id AS "messageId", m.conversation_id AS "conversationId",
            LEAST(m.sent_at, m.delivered_at, m.read_at) AS "acceptedAt", m.answered_wait_since AS since,
            m.wait_number AS round, m.author_kind AS "authorKind"
          FROM unnest(${of.map(({ conversationId }) => conversationId)}::uuid[],
            ${of.map(({ from }) => instant(from))}::timestamptz[]) AS input (conversation_id, accepted_at)
          JOIN messages AS m ON m.organization_id = ${organization.id} AND m.conversation_id = input.conversation_id
          WHERE m.wait_number IS NOT NULL AND LEAST(m.sent_at, m.delivered_at, m.read_at) >= input.accepted_at`
        return rows.map(answerOf)
      }),
      save: Effect.fnUntraced(function* (organization, waiting, endings) {
        const conversations = waiting.map(({ firstRepliedAt, firstReplyId, id, waitRound, waitingSince }) => ({
          id,
          waiting_since: instant(waitingSince),
          first_replied_at: instant(firstRepliedAt),
          first_reply_id: firstReplyId,
          wait_number: waitRound
        }))
        const messages = Array.from(endings, ([id, ending]) => ({
          id,
          since: instant(ending?.since ?? null),
          round: ending?.round ?? null
        }))
        yield* sql`
          WITH ended AS (
            UPDATE messages AS m SET answered_wait_since = e.since, wait_number = e.round
            FROM json_to_recordset(${PgTypes.json(messages)}) AS e (id uuid, since timestamptz, round integer)
            WHERE m.organization_id = ${organization.id} AND m.id = e.id
          )
          UPDATE conversations AS c SET waiting_since = s.waiting_since, first_replied_at = s.first_replied_at,
            first_reply_id = s.first_reply_id, wait_number = s.wait_number
          FROM json_to_recordset(${PgTypes.json(conversations)}) AS s (id uuid, waiting_since timestamptz,
            first_replied_at timestamptz, first_reply_id uuid, wait_number integer)
          WHERE c.organization_id = ${organization.id} AND c.id = s.id`.pipe(deferToNext)
      }),
      drop: Effect.fnUntraced(function* (organization, contactId) {
        const rows = yield* sql<{
          readonly id: ConversationId
          readonly chatAccountId: ChatAccountId
          readonly waited: boolean
        }>`
          WITH locked AS MATERIALIZED (
            SELECT id, waiting_since FROM conversations
            WHERE organization_id = ${organization.id} AND contact_id = ${contactId} AND status <> 'resolved'
            ORDER BY id FOR UPDATE
          )
          UPDATE conversations AS c SET waiting_since = NULL, wait_number = c.wait_number + 1
          FROM locked WHERE c.organization_id = ${organization.id} AND c.id = locked.id
          RETURNING c.id, c.chat_account_id AS "chatAccountId", locked.waiting_since IS NOT NULL AS waited`
        return rows.filter(({ waited }) => waited).map(({ chatAccountId, id }) => ({ id, chatAccountId }))
      }),
      episodes: Effect.fnUntraced(function* (organization, conversationId) {
        const rows = yield* sql<EpisodeRow>`
          SELECT episode, started_at AS "episodeStartedAt", resolved_at AS "episodeResolvedAt",
            resolver_kind AS "episodeResolverKind", resolver_id AS "episodeResolverId"
          FROM conversation_episodes WHERE organization_id = ${organization.id} AND conversation_id = ${conversationId}
          UNION ALL
          SELECT episode, episode_started_at, episode_resolved_at, episode_resolver_kind, episode_resolver_id
          FROM conversations WHERE organization_id = ${organization.id} AND id = ${conversationId}
          ORDER BY 1`
        return rows.flatMap((row) => episodeOf(row) ?? [])
      })
    })
  })
)
