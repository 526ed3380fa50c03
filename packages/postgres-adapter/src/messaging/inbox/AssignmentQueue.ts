import { PgTypes } from "@effect/sql-pg"
import { AssignmentQueue, prioritiesByUrgency, type WaitingConversation } from "@parley/domain/messaging"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Instant, stamp, utc, utcOrNull } from "../../kernel/columns.ts"
import { tenantPort } from "../../kernel/tenantPort.ts"

interface Row extends Omit<WaitingConversation, "since" | "waitingSince"> {
  readonly since: Instant
  readonly waitingSince: Instant | null
}

const waitingOf = ({ since, waitingSince, ...row }: Row): WaitingConversation => ({
  ...row,
  since: utc(since),
  waitingSince: utcOrNull(waitingSince)
})

export const layer = Layer.effect(
  AssignmentQueue,
  Effect.map(SqlClient.SqlClient, (sql) =>
    tenantPort(AssignmentQueue, {
      isEmpty: Effect.fnUntraced(function* (organization) {
        const found = yield* sql`SELECT 1 FROM assignment_queue WHERE organization_id = ${organization.id} LIMIT 1`
        return found.length === 0
      }),
      put: Effect.fnUntraced(function* (organization, { by, causation, conversationId, memberIds, since, sticky }) {
        yield* sql`
          INSERT INTO assignment_queue (organization_id, conversation_id, member_ids, sticky, requested_by, causation, since)
          VALUES (${organization.id}, ${conversationId}, ${memberIds === null ? null : Array.from(memberIds)}::uuid[], ${sticky},
            ${PgTypes.json(by)}, ${causation === null ? null : PgTypes.json(causation)}, ${stamp(since)})
          ON CONFLICT (organization_id, conversation_id) DO UPDATE SET member_ids = excluded.member_ids,
            sticky = excluded.sticky, requested_by = excluded.requested_by, causation = excluded.causation`
      }),
      remove: Effect.fnUntraced(function* (organization, ids) {
        yield* sql`
          DELETE FROM assignment_queue
          WHERE organization_id = ${organization.id} AND conversation_id = ANY(${Array.from(ids)}::uuid[])`
      }),
      next: Effect.fnUntraced(function* (organization, after, memberIds, limit) {
        const rows = yield* sql<Row>`
          SELECT q.conversation_id AS "conversationId", q.member_ids AS "memberIds", q.sticky, q.requested_by AS by, q.causation,
            q.since, c.contact_id AS "contactId", c.priority, c.waiting_since AS "waitingSince",
            CASE WHEN q.sticky THEN (
              SELECT l.assignee_id FROM conversations AS l
              WHERE l.organization_id = ${organization.id} AND l.contact_id = c.contact_id AND l.assignee_id IS NOT NULL
              ORDER BY l.last_activity_at DESC, l.id DESC LIMIT 1
            ) END AS "lastAssigneeId"
          FROM assignment_queue AS q
          JOIN conversations AS c ON c.organization_id = ${organization.id} AND c.id = q.conversation_id
          WHERE q.organization_id = ${organization.id} AND q.since > ${stamp(after)} AND c.assignee_id IS NULL
            AND c.status <> 'resolved' AND (q.member_ids IS NULL OR q.member_ids && ${Array.from(memberIds)}::uuid[])
          ORDER BY array_position(${Array.from(prioritiesByUrgency)}::text[], c.priority), c.waiting_since NULLS LAST, q.since,
            q.conversation_id
          LIMIT ${limit}`
        return rows.map(waitingOf)
      }),
      expire: Effect.fnUntraced(function* (organization, until) {
        yield* sql`
          DELETE FROM assignment_queue AS q USING conversations AS c
          WHERE q.organization_id = ${organization.id} AND c.organization_id = ${organization.id} AND c.id = q.conversation_id
            AND (q.since <= ${stamp(until)} OR c.assignee_id IS NOT NULL OR c.status = 'resolved')`
      }),
      oldest: Effect.fnUntraced(function* (organization) {
        const [row] = yield* sql<{ readonly since: Instant | null }>`
          SELECT min(since) AS since FROM assignment_queue WHERE organization_id = ${organization.id}`
        return utcOrNull(row?.since ?? null)
      })
    })
  )
)
