import {
  type CalledRecipient,
  type counterOf,
  type RecipientChange,
  parseRecipientId,
  type BroadcastProgress,
  type RecipientId,
  recipientIdAt,
  RecipientReceipts,
  type RecipientStatus
} from "@parley/domain/campaigns"
import { PgTypes } from "@effect/sql-pg"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Instant, utcOrNull } from "../kernel/columns.ts"
import { tenantPort } from "../kernel/tenantPort.ts"
import { isAmong } from "./isAmong.ts"
import { movesOf, tally } from "./tallies.ts"

type Times = "calledAt" | "sentAt" | "deliveredAt" | "readAt" | "failedAt"

interface Row extends Omit<CalledRecipient, Times | "id">, Readonly<Record<Times, Instant | null>> {
  readonly prefix: string
}

interface ProgressRow extends Omit<BroadcastProgress, "toldAt"> {
  readonly toldAt: Instant | null
}

const calledOf = ({ calledAt, deliveredAt, failedAt, prefix, readAt, sentAt, ...row }: Row): CalledRecipient => ({
  ...row,
  id: recipientIdAt(prefix, row.seq),
  calledAt: utcOrNull(calledAt),
  sentAt: utcOrNull(sentAt),
  deliveredAt: utcOrNull(deliveredAt),
  readAt: utcOrNull(readAt),
  failedAt: utcOrNull(failedAt)
})

const written = (at: DateTime.Utc | null) => (at === null ? null : DateTime.formatIso(at))

const movedRow = ({ after, before }: RecipientChange) => ({
  broadcast_id: after.broadcastId,
  seq: after.seq,
  was: before.status,
  was_cause: before.status === "failed" ? (before.error?.code ?? "") : "",
  status: after.status,
  provider_message_id: after.providerMessageId,
  error: after.error,
  sent_at: written(after.sentAt),
  delivered_at: written(after.deliveredAt),
  read_at: written(after.readAt),
  failed_at: written(after.failedAt)
})

/** Statuses that receipts set or leave, with the column of each counter. */
const counted = ["in_flight", "in_doubt", "sent", "delivered", "read", "failed"] as const satisfies ReadonlyArray<
  keyof typeof counterOf
>

export const layer = Layer.effect(
  RecipientReceipts,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const changes = sql.literal(
      counted
        .map(
          (status) =>
            `(count(*) FILTER (WHERE t.status = '${status}') - count(*) FILTER (WHERE t.was = '${status}'))::integer AS ${status}`
        )
        .join(", ")
    )
    const assignments = sql.literal(counted.map((status) => `${status} = p.${status} + c.${status}`).join(", "))

    return tenantPort(RecipientReceipts, {
      lock: Effect.fnUntraced(function* (organization, account, ids: ReadonlyArray<RecipientId>) {
        const parts = ids.map(parseRecipientId)
        const prefixes = parts.map(({ prefix }) => prefix)
        const broadcasts = yield* sql<{ readonly id: string; readonly prefix: string }>`
          SELECT id, recipient_prefix AS prefix FROM broadcasts
          WHERE organization_id = ${organization.id} AND chat_account_id = ${account}
            AND recipient_prefix = ANY(${Array.from(new Set(prefixes))}::text[])`
        if (broadcasts.length === 0) return []
        const idOf = new Map(broadcasts.map(({ id, prefix }) => [prefix, id]))
        const mine = parts.flatMap(({ place, prefix }) => {
          const id = idOf.get(prefix)
          // The number after one of our prefixes has 32 bits, but places are signed.
          return id === undefined || place > 0x7fff_ffff ? [] : [{ id, place }]
        })
        const places = mine.map(({ place }) => place)
        // The storing of call results also locks the windows first, and then the recipients by place.
        const windows = yield* sql<{ readonly id: string; readonly claimedAt: Instant; readonly seqs: Array<number> }>`
          SELECT broadcast_id AS id, claimed_at AS "claimedAt", seqs FROM broadcast_claims
          WHERE organization_id = ${organization.id} AND broadcast_id = ANY(${[...idOf.values()]}::uuid[])
            AND seqs && ${places}::integer[]
          ORDER BY broadcast_id, id FOR UPDATE`
        const rows = yield* sql<Row>`
          SELECT r.broadcast_id AS "broadcastId", r.seq, left(r.broadcast_id::text, -8) AS prefix,
            CASE r.status WHEN 'waiting' THEN 'pending' ELSE r.status END AS status,
            r.provider_message_id AS "providerMessageId", r.error, r.called_at AS "calledAt", r.sent_at AS "sentAt",
            r.delivered_at AS "deliveredAt", r.read_at AS "readAt", r.failed_at AS "failedAt"
          FROM broadcast_recipients AS r
          JOIN unnest(${mine.map(({ id }) => id)}::uuid[], ${places}::integer[]) AS t (broadcast_id, seq)
            ON r.broadcast_id = t.broadcast_id AND r.seq = t.seq
          WHERE r.organization_id = ${organization.id} AND ${isAmong(sql, [...idOf.values()], places)}
          ORDER BY r.broadcast_id, r.seq FOR UPDATE OF r`
        const inHand = new Map(
          windows.flatMap(({ claimedAt, id, seqs }) => seqs.map((seq) => [`${id} ${seq}`, claimedAt] as const))
        )
        return rows.map((row) => {
          const claimedAt = inHand.get(`${row.broadcastId} ${row.seq}`)
          const status: RecipientStatus = claimedAt === undefined ? row.status : "in_flight"
          return calledOf({ ...row, status, calledAt: claimedAt ?? row.calledAt })
        })
      }),
      save: Effect.fnUntraced(function* ({ id }, moved) {
        if (moved.length === 0) return []
        const rows = yield* sql<ProgressRow>`
          WITH reported AS (
            SELECT * FROM json_to_recordset(${PgTypes.json(moved.map(movedRow))}) AS t (broadcast_id uuid, seq integer,
              was text, was_cause text, status text, provider_message_id text, error json, sent_at timestamptz, delivered_at timestamptz,
              read_at timestamptz, failed_at timestamptz)
          ), windows AS (
            SELECT w.broadcast_id, w.id, w.seqs, w.contact_ids, w."values", w.claimed_at FROM broadcast_claims AS w
            WHERE w.organization_id = ${id} AND EXISTS (SELECT FROM reported AS t
              WHERE t.was = 'in_flight' AND t.broadcast_id = w.broadcast_id AND t.seq = ANY(w.seqs))
          ), changed AS (
            UPDATE broadcast_recipients AS r SET status = t.status, provider_message_id = t.provider_message_id,
              error = t.error, sent_at = t.sent_at, delivered_at = t.delivered_at, read_at = t.read_at,
              failed_at = t.failed_at, attempts = r.attempts + CASE t.was WHEN 'in_flight' THEN 1 ELSE 0 END,
              "values" = coalesce(w."values" -> t.seq::text, r."values"), called_at = coalesce(w.claimed_at, r.called_at)
            FROM reported AS t
            LEFT JOIN windows AS w ON w.broadcast_id = t.broadcast_id AND t.seq = ANY(w.seqs) AND t.was = 'in_flight'
            WHERE r.organization_id = ${id} AND r.broadcast_id = t.broadcast_id AND r.seq = t.seq
              AND ${isAmong(
                sql,
                moved.map(({ after }) => after.broadcastId),
                moved.map(({ after }) => after.seq)
              )}
            RETURNING r.broadcast_id, r.variant, t.status,
              CASE t.status WHEN 'failed' THEN coalesce(r.error ->> 'code', '') ELSE '' END AS cause,
              CASE t.was WHEN 'in_flight' THEN 'pending' ELSE t.was END AS was, t.was_cause,
              r.replied_at IS NOT NULL AS replied, r.opted_out_at IS NOT NULL AS opted_out
          ), tallied AS (${tally(sql, id, movesOf(sql, sql`SELECT * FROM changed`))}
          ), remaining AS (
            SELECT w.broadcast_id, w.id, array_agg(c.seq ORDER BY c.seq) AS seqs,
              array_agg(c.contact_id ORDER BY c.seq) AS contact_ids
            FROM windows AS w, unnest(w.seqs, w.contact_ids) AS c (seq, contact_id)
            WHERE NOT EXISTS (SELECT FROM reported AS t WHERE t.broadcast_id = w.broadcast_id AND t.seq = c.seq)
            GROUP BY w.broadcast_id, w.id
          ), shrunk AS (
            UPDATE broadcast_claims AS w SET seqs = r.seqs, contact_ids = r.contact_ids FROM remaining AS r
            WHERE w.organization_id = ${id} AND w.broadcast_id = r.broadcast_id AND w.id = r.id
          ), over AS (
            DELETE FROM broadcast_claims AS w
            WHERE w.organization_id = ${id} AND (w.broadcast_id, w.id) IN (
              SELECT broadcast_id, id FROM windows EXCEPT SELECT broadcast_id, id FROM remaining)
          ), counts AS (
            SELECT t.broadcast_id, ${changes} FROM reported AS t GROUP BY t.broadcast_id
          ), locked AS (
            SELECT p.broadcast_id FROM broadcast_progress AS p
            WHERE p.organization_id = ${id} AND p.broadcast_id IN (SELECT broadcast_id FROM counts)
            ORDER BY p.broadcast_id FOR UPDATE
          )
          UPDATE broadcast_progress AS p SET ${assignments} FROM counts AS c
          WHERE p.organization_id = ${id} AND p.broadcast_id = c.broadcast_id
            AND p.broadcast_id IN (SELECT broadcast_id FROM locked)
          RETURNING p.broadcast_id AS "broadcastId", p.progress_reported_at AS "toldAt",
            json_build_object('matched', p.matched, 'pending', p.pending, 'inFlight', p.in_flight, 'inDoubt', p.in_doubt,
              'sent', p.sent, 'delivered', p.delivered, 'read', p.read, 'failed', p.failed, 'excluded', p.excluded,
              'heldOut', p.held_out, 'neverSent', p.never_sent) AS stats`
        return rows.map(({ toldAt, ...row }) => ({ ...row, toldAt: utcOrNull(toldAt) }))
      })
    })
  })
)
