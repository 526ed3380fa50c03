import { PgTypes } from "@effect/sql-pg"
import type { OrganizationId } from "@parley/domain/kernel"
import type { OwnedShard } from "@parley/domain/platform"
import { type ChatAccountId, type MessageId, type SendLease, SendQueue } from "@parley/domain/messaging"
import { Effect, Layer } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { type Instant, stamp, utc, utcOrNull } from "../../kernel/columns.ts"
import { isAmong } from "../../kernel/isOneOf.ts"
import { type Organization, tenantPort } from "../../kernel/tenantPort.ts"
import { isOwned } from "../../platform/background/isOwned.ts"
import { providerOf } from "./conversationRow.ts"
import { messageColumns } from "./messageRow.ts"
import { readingColumns, readingOf, type ReadingRow } from "./readingRow.ts"

type Row = Omit<SendLease, "lane" | "reader" | "hasBegun">

export const layer = Layer.effect(
  SendQueue,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    // While the earlier message is in the queue, its result is unknown.
    const isFirst = sql`NOT EXISTS (
      SELECT FROM send_queue AS former WHERE former.organization_id = s.organization_id
        AND former.conversation_id = s.conversation_id AND former.position < s.position)`

    const leased = (id: OrganizationId, leases: ReadonlyArray<SendLease>) => {
      const records = leases.map(({ hasBegun, messageId, reader, revision }) => ({
        message_id: messageId,
        revision,
        reader,
        is_started: hasBegun
      }))
      const ids = leases.map(({ messageId }) => messageId)
      return sql`
        json_to_recordset(${PgTypes.json(records)}) AS l (message_id uuid, revision integer, reader uuid, is_started boolean)
        JOIN send_queue AS s ON s.organization_id = ${id} AND s.message_id = l.message_id AND ${isAmong(sql, "s.message_id", ids)}`
    }

    // After a call has started, only its sender knows the result, under any later owner of the lane. Before that, it
    // can be unknown whether the start was
    // stored. If it was, this sender stored it and made no call. Rows are locked in one order to prevent deadlocks.
    const decided = (id: OrganizationId, lane: OwnedShard, leases: ReadonlyArray<SendLease>) => sql`
      held AS MATERIALIZED (
        SELECT s.message_id FROM ${leased(id, leases)}
        WHERE CASE WHEN l.is_started THEN s.revision = l.revision
          ELSE s.revision = l.revision AND ${isOwned(sql, lane)}
            OR s.revision = l.revision + 1 AND s.is_started AND s.started_by = l.reader END
        ORDER BY s.message_id FOR UPDATE OF s
      )`

    const changeUnderLease = Effect.fnUntraced(function* (
      { id }: Organization,
      lease: SendLease,
      change: Statement.Fragment,
      behind = sql``
    ) {
      const rows = yield* sql`
        WITH ${decided(id, lease.lane, [lease])}, changed AS (
          UPDATE send_queue AS s SET ${change}, is_started = false, revision = s.revision + 1 FROM held
          WHERE s.organization_id = ${id} AND s.message_id = held.message_id
          RETURNING s.conversation_id AS conversation, s.position AS here
        ) ${behind} SELECT 1 FROM changed`
      return rows.length > 0
    })

    const ofAccount = Effect.fnUntraced(function* (
      organization: Organization,
      id: ChatAccountId,
      statement: (isAccount: Statement.Fragment) => Statement.Statement<object>
    ) {
      return yield* statement(sql`organization_id = ${organization.id} AND id = ${id}`)
    })

    return tenantPort(SendQueue, {
      next: Effect.fnUntraced(function* ({ id }, lane, { except, limit, now, reader }) {
        const rows = yield* sql<Row>`
          SELECT s.message_id AS "messageId", s.conversation_id AS "conversationId", s.chat_account_id AS "chatAccountId",
            s.revision, s.attempts + 1 AS attempts, coalesce(a.send_failures, 0) AS failures, s.is_started AS interrupted
          FROM send_queue AS s LEFT JOIN chat_accounts AS a ON a.organization_id = s.organization_id AND a.id = s.chat_account_id
          WHERE s.organization_id = ${id} AND s.chat_account_id = ${lane.key} AND s.due_at <= ${stamp(now)}
            AND ${isFirst} AND (a.send_backoff_until IS NULL OR a.send_backoff_until <= ${stamp(now)} OR s.is_started)
            AND s.message_id <> ALL(${Array.from(except)}::uuid[])
          ORDER BY s.due_at, s.message_id LIMIT ${limit}`
        return rows.map((row) => ({ ...row, lane, reader, hasBegun: false }))
      }),
      nextDue: Effect.fnUntraced(function* ({ id }, accountId) {
        const isOfAccount = sql`s.organization_id = ${id} AND s.chat_account_id = ${accountId} AND ${isFirst}`
        const [row] = yield* sql<{
          readonly first: Instant | null
          readonly rest: Instant | null
          readonly begun: Instant | null
        }>`
          SELECT
            (SELECT s.due_at FROM send_queue AS s WHERE ${isOfAccount} ORDER BY s.due_at LIMIT 1) AS first,
            (SELECT send_backoff_until FROM chat_accounts WHERE organization_id = ${id} AND id = ${accountId}) AS rest,
            (SELECT s.due_at FROM send_queue AS s WHERE ${isOfAccount} AND s.is_started ORDER BY s.due_at LIMIT 1)
              AS begun`
        if (row === undefined || row.first === null) return null
        const rested = row.rest === null || row.rest < row.first ? row.first : row.rest
        return utc(row.begun !== null && row.begun < rested ? row.begun : rested)
      }),
      read: Effect.fnUntraced(function* ({ id }, leases) {
        if (leases.length === 0) return []
        const ids = leases.map(({ messageId }) => messageId)
        const rows = yield* sql<ReadingRow>`
          SELECT m.*, ${sql.literal(readingColumns)}, ${providerOf(sql, id)}
          FROM (SELECT ${sql.literal(messageColumns)} FROM messages
            WHERE organization_id = ${id} AND ${isAmong(sql, "id", ids)}) AS m
          JOIN conversations AS c ON c.organization_id = ${id} AND c.id = m."conversationId"
          LEFT JOIN contacts AS p ON p.organization_id = ${id} AND p.id = c.contact_id`
        return rows.map(readingOf)
      }),
      beginAll: Effect.fnUntraced(function* ({ id }, leases) {
        const [first] = leases
        if (first === undefined) return []
        const rows = yield* sql<{ readonly id: MessageId }>`
          WITH held AS MATERIALIZED (
            SELECT s.message_id, l.reader FROM ${leased(id, leases)}
            WHERE s.revision = l.revision AND NOT s.is_started AND ${isOwned(sql, first.lane)}
            ORDER BY s.message_id FOR UPDATE OF s
          )
          UPDATE send_queue AS s SET is_started = true, started_by = held.reader, revision = revision + 1 FROM held
          WHERE s.organization_id = ${id} AND s.message_id = held.message_id RETURNING s.message_id AS id`
        const begun = new Set(rows.map((row) => row.id))
        return leases
          .filter(({ messageId }) => begun.has(messageId))
          .map((lease) => ({ ...lease, revision: lease.revision + 1, hasBegun: true }))
      }),
      settleAll: Effect.fnUntraced(function* ({ id }, leases) {
        const [first] = leases
        if (first === undefined) return new Set<MessageId>()
        const rows = yield* sql<{ readonly id: MessageId }>`
          WITH ${decided(id, first.lane, leases)}
          DELETE FROM send_queue AS s USING held
          WHERE s.organization_id = ${id} AND s.message_id = held.message_id RETURNING s.message_id AS id`
        return new Set(rows.map((row) => row.id))
      }),
      // Later messages of the conversation wait for this one, so the queue does not need to skip them.
      postpone: (organization, lease, until) =>
        changeUnderLease(
          organization,
          lease,
          sql`attempts = attempts + 1, due_at = ${stamp(until)}`,
          sql`, behind AS (
            UPDATE send_queue SET due_at = greatest(due_at, ${stamp(until)}) FROM changed
            WHERE organization_id = ${lease.lane.organizationId} AND conversation_id = conversation AND position > here
          )`
        ),
      giveBack: (organization, lease, from) => changeUnderLease(organization, lease, sql`due_at = ${stamp(from)}`),
      standing: Effect.fnUntraced(function* (organization, id) {
        const [row] = yield* sql<{ readonly failures: number; readonly restsUntil: Instant | null }>`
          SELECT send_failures AS failures, send_backoff_until AS "restsUntil" FROM chat_accounts
          WHERE organization_id = ${organization.id} AND id = ${id}`
        return { failures: row?.failures ?? 0, restsUntil: utcOrNull(row?.restsUntil ?? null) }
      }),
      callFailed: Effect.fnUntraced(function* (organization, id, most) {
        const [row] = yield* sql<{ readonly failures: number }>`
          UPDATE chat_accounts SET send_failures = greatest(send_failures, least(send_failures + 1, ${most}::integer))
          WHERE organization_id = ${organization.id} AND id = ${id} RETURNING send_failures AS failures`
        return row?.failures ?? 0
      }),
      callAnswered: (organization, id, many) =>
        Effect.asVoid(
          ofAccount(
            organization,
            id,
            (isAccount) => sql`
              UPDATE chat_accounts SET send_failures = 0,
                send_backoff_until = CASE WHEN send_failures < ${many}::integer THEN send_backoff_until END
              WHERE ${isAccount}`
          )
        ),
      rest: (organization, id, until) =>
        Effect.asVoid(
          ofAccount(
            organization,
            id,
            (isAccount) => sql`
              UPDATE chat_accounts SET send_backoff_until = greatest(send_backoff_until, ${stamp(until)}) WHERE ${isAccount}`
          )
        )
    })
  })
)
