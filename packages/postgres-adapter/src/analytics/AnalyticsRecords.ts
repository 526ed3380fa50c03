import type { MessageAuthor } from "@parley/domain/messaging"
import { AnalyticsRecords, type MessageRecord } from "@parley/domain/analytics"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Instant, utc, utcOrNull } from "../kernel/columns.ts"
import { uuids } from "../kernel/uuids.ts"
import { tenantPort } from "../kernel/tenantPort.ts"
import { broadcastRecords } from "./broadcastRecords.ts"
import { conversationRecords } from "./conversationRecords.ts"
import { orderRecords } from "./orderRecords.ts"

interface Row extends Pick<MessageRecord, "id" | "conversationId" | "chatAccountId" | "direction" | "kind" | "status"> {
  readonly authorKind: MessageAuthor["kind"]
  readonly authorId: string
  readonly at: Instant
  readonly sentAt: Instant | null
  readonly deliveredAt: Instant | null
  readonly readAt: Instant | null
  readonly failedAt: Instant | null
  readonly endedWaitSince: Instant | null
}

const messageOf = ({
  at,
  authorId,
  authorKind,
  deliveredAt,
  endedWaitSince,
  failedAt,
  readAt,
  sentAt,
  ...row
}: Row): MessageRecord => ({
  ...row,
  author: { kind: authorKind, id: authorId },
  at: utc(at),
  sentAt: utcOrNull(sentAt),
  deliveredAt: utcOrNull(deliveredAt),
  readAt: utcOrNull(readAt),
  failedAt: utcOrNull(failedAt),
  endedWaitSince: utcOrNull(endedWaitSince)
})

export const layer = Layer.effect(
  AnalyticsRecords,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql`
      m.id, m.conversation_id AS "conversationId", m.chat_account_id AS "chatAccountId", m.direction, m.kind, m.status, m.author_kind AS "authorKind",
      m.author_id AS "authorId", m.at, m.sent_at AS "sentAt", m.delivered_at AS "deliveredAt", m.read_at AS "readAt",
      m.failed_at AS "failedAt", m.answered_wait_since AS "endedWaitSince"`

    return tenantPort(AnalyticsRecords, {
      messages: Effect.fnUntraced(function* (organization, ids) {
        if (ids.length === 0) return []
        const rows = yield* sql<Row>`
          SELECT ${columns} FROM messages AS m WHERE m.organization_id = ${organization.id} AND m.id = ANY(${uuids(ids)})`
        return rows.map(messageOf)
      }),
      messagesWith: Effect.fnUntraced(function* (organization, contactIds, after, limit) {
        if (contactIds.length === 0) return []
        const rows = yield* sql<Row>`
          SELECT ${columns} FROM conversations AS c
          JOIN messages AS m ON m.organization_id = ${organization.id} AND m.conversation_id = c.id
          WHERE c.organization_id = ${organization.id} AND c.contact_id = ANY(${uuids(contactIds)})
            ${after === null ? sql`` : sql`AND m.id > ${after}`}
          ORDER BY m.id LIMIT ${limit}`
        return rows.map(messageOf)
      }),
      answersBeside: Effect.fnUntraced(function* (organization, ids) {
        if (ids.length === 0) return []
        const rows = yield* sql<Pick<Row, "id">>`
          SELECT DISTINCT a.id FROM messages AS m
          JOIN messages AS a ON a.organization_id = ${organization.id} AND a.conversation_id = m.conversation_id
          WHERE m.organization_id = ${organization.id} AND m.id = ANY(${uuids(ids)}) AND a.answered_wait_since IS NOT NULL`
        return rows.map(({ id }) => id)
      }),
      ...broadcastRecords(sql),
      ...conversationRecords(sql),
      ...orderRecords(sql)
    })
  })
)
