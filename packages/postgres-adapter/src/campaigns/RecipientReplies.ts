import { type AcceptedRecipient, recipientIdAt, RecipientReplies } from "@parley/domain/campaigns"
import { PgTypes } from "@effect/sql-pg"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Instant, utc, utcOrNull } from "../kernel/columns.ts"
import { tenantPort } from "../kernel/tenantPort.ts"
import { isAmong } from "./isAmong.ts"
import { shareOf, tally } from "./tallies.ts"

type Times = "calledAt" | "deliveredAt" | "readAt" | "failedAt" | "repliedAt" | "optedOutAt"

interface Row
  extends Omit<AcceptedRecipient, Times | "sentAt" | "id" | "address">, Readonly<Record<Times, Instant | null>> {
  readonly prefix: string
  readonly sentAt: Instant
  readonly addressKind: NonNullable<AcceptedRecipient["address"]>["kind"] | null
  readonly address: string | null
}

const acceptedOf = ({ address, addressKind, prefix, ...row }: Row): AcceptedRecipient => ({
  ...row,
  id: recipientIdAt(prefix, row.seq),
  address: addressKind === null || address === null ? null : { kind: addressKind, value: address },
  sentAt: utc(row.sentAt),
  calledAt: utcOrNull(row.calledAt),
  deliveredAt: utcOrNull(row.deliveredAt),
  readAt: utcOrNull(row.readAt),
  failedAt: utcOrNull(row.failedAt),
  repliedAt: utcOrNull(row.repliedAt),
  optedOutAt: utcOrNull(row.optedOutAt)
})

const written = (at: DateTime.Utc | null) => (at === null ? null : DateTime.formatIso(at))

export const layer = Layer.effect(
  RecipientReplies,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const shareSql = shareOf(sql)
    return tenantPort(RecipientReplies, {
      lock: Effect.fnUntraced(function* ({ id }, account, contactIds) {
        const window = sql`FROM broadcast_claims AS w
          WHERE w.organization_id = ${id} AND w.broadcast_id = r.broadcast_id AND r.seq = ANY(w.seqs)`
        // After a lock wait the row is current but windows are from the start of the statement. A recipient is in flight only if its row has no other
        // status.
        const isUntold = sql`r.status IN ('pending', 'waiting')`
        const rows = yield* sql<Row>`
          SELECT r.broadcast_id AS "broadcastId", r.seq, b.recipient_prefix AS prefix, r.contact_id AS "contactId",
            r.address_kind AS "addressKind", r.address, r.variant::text AS variant,
            CASE WHEN ${isUntold} THEN 'in_flight' ELSE r.status END AS status, r.error, r."values",
            r.provider_message_id AS "providerMessageId", r.called_at AS "calledAt",
            COALESCE(r.sent_at, r.called_at, (SELECT w.claimed_at ${window} LIMIT 1)) AS "sentAt",
            r.delivered_at AS "deliveredAt", r.read_at AS "readAt", r.failed_at AS "failedAt",
            r.replied_at AS "repliedAt", r.opted_out_at AS "optedOutAt", r.conversation_id AS "conversationId"
          FROM broadcast_recipients AS r
          JOIN broadcasts AS b ON b.organization_id = ${id} AND b.id = r.broadcast_id AND b.chat_account_id = ${account}
          WHERE r.organization_id = ${id} AND r.contact_id = ANY(${contactIds}::uuid[])
            AND (r.sent_at IS NOT NULL OR r.status = 'in_doubt' AND r.called_at IS NOT NULL
              OR ${isUntold} AND EXISTS (SELECT ${window}))
          ORDER BY r.broadcast_id, r.seq FOR UPDATE OF r`
        return rows.map(acceptedOf)
      }),
      save: Effect.fnUntraced(function* ({ id }, recipients) {
        if (recipients.length === 0) return
        const records = recipients.map(({ broadcastId, conversationId, optedOutAt, repliedAt, seq }) => ({
          broadcast_id: broadcastId,
          seq,
          conversation_id: conversationId,
          replied_at: written(repliedAt),
          opted_out_at: written(optedOutAt)
        }))
        const among = isAmong(
          sql,
          recipients.map(({ broadcastId }) => broadcastId),
          recipients.map(({ seq }) => seq)
        )
        yield* sql`
          WITH reported AS (
            SELECT t.*, CASE WHEN t.replied_at IS NOT NULL AND r.replied_at IS NULL THEN 1 ELSE 0 END AS replied,
              CASE WHEN t.opted_out_at IS NOT NULL AND r.opted_out_at IS NULL THEN 1 ELSE 0 END AS opted_out
            FROM json_to_recordset(${PgTypes.json(records)}) AS t (broadcast_id uuid, seq integer, conversation_id uuid,
              replied_at timestamptz, opted_out_at timestamptz)
            JOIN broadcast_recipients AS r ON r.organization_id = ${id} AND r.broadcast_id = t.broadcast_id
              AND r.seq = t.seq AND ${among}
          ), changed AS (
            UPDATE broadcast_recipients AS r SET conversation_id = t.conversation_id, replied_at = t.replied_at,
              opted_out_at = t.opted_out_at
            FROM reported AS t
            WHERE r.organization_id = ${id} AND r.broadcast_id = t.broadcast_id AND r.seq = t.seq AND ${among}
            RETURNING ${shareSql}, t.replied, t.opted_out
          ), tallied AS (${tally(sql, id, sql`SELECT c.*, 0 AS amount FROM changed AS c`)}
          ), counts AS (
            SELECT broadcast_id, sum(replied)::integer AS replied, sum(opted_out)::integer AS opted_out
            FROM reported GROUP BY broadcast_id
          ), locked AS (
            SELECT p.broadcast_id FROM broadcast_progress AS p
            WHERE p.organization_id = ${id} AND p.broadcast_id IN (
              SELECT c.broadcast_id FROM counts AS c WHERE c.replied + c.opted_out > 0)
            ORDER BY p.broadcast_id FOR UPDATE
          )
          UPDATE broadcast_progress AS p SET replied = p.replied + c.replied, opted_out = p.opted_out + c.opted_out
          FROM counts AS c
          WHERE p.organization_id = ${id} AND p.broadcast_id = c.broadcast_id
            AND p.broadcast_id IN (SELECT broadcast_id FROM locked)`
      }),
      optOut: Effect.fnUntraced(function* ({ id }, recipients) {
        if (recipients.length === 0) return []
        const records = recipients.map(({ at, broadcastId, seq }) => ({
          broadcast_id: broadcastId,
          seq,
          opted_out_at: written(at)
        }))
        return yield* sql<Pick<AcceptedRecipient, "broadcastId" | "seq" | "contactId">>`
          WITH reported AS (
            SELECT DISTINCT ON (t.broadcast_id, t.seq) t.*
            FROM json_to_recordset(${PgTypes.json(records)}) AS t (broadcast_id uuid, seq integer, opted_out_at timestamptz)
            ORDER BY t.broadcast_id, t.seq, t.opted_out_at
          ), changed AS (
            UPDATE broadcast_recipients AS r SET opted_out_at = t.opted_out_at FROM reported AS t
            WHERE r.organization_id = ${id} AND r.broadcast_id = t.broadcast_id AND r.seq = t.seq
              AND r.opted_out_at IS NULL
            RETURNING r.seq, r.contact_id, ${shareSql}
          ), tallied AS (${tally(
            sql,
            id,
            sql`SELECT c.broadcast_id, c.variant, c.status, c.cause, 0 AS amount, 0 AS replied, 1 AS opted_out FROM changed AS c`
          )}
          ), counts AS (
            SELECT broadcast_id, count(*)::integer AS opted_out FROM changed GROUP BY broadcast_id
          ), locked AS (
            SELECT p.broadcast_id FROM broadcast_progress AS p
            WHERE p.organization_id = ${id} AND p.broadcast_id IN (SELECT broadcast_id FROM counts)
            ORDER BY p.broadcast_id FOR UPDATE
          ), counted AS (
            UPDATE broadcast_progress AS p SET opted_out = p.opted_out + c.opted_out FROM counts AS c
            WHERE p.organization_id = ${id} AND p.broadcast_id = c.broadcast_id
              AND p.broadcast_id IN (SELECT broadcast_id FROM locked)
          )
          SELECT broadcast_id AS "broadcastId", seq, contact_id AS "contactId" FROM changed ORDER BY broadcast_id, seq`
      })
    })
  })
)
