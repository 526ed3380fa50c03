import {
  recipientIdAt,
  RecipientList,
  recipientPrefix,
  type RecipientTally,
  type VariantChargeTally
} from "@parley/domain/campaigns"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { recipientColumns, recipientOf, type RecipientRow, recipientStatus } from "./recipientRow.ts"
import { tenantPort } from "../kernel/tenantPort.ts"
import { chargeFacts } from "../messaging/inbox/chargeFacts.ts"

const maxPlace = 0x7fff_ffff

/** Maximum number of places of a list in one read. */
const mostPlaces = 20_000

export const layer = Layer.effect(
  RecipientList,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const status = sql.literal(recipientStatus)
    const isOver = sql.literal("b.status IN ('completed', 'cancelled', 'failed')")

    return tenantPort(RecipientList, {
      list: Effect.fnUntraced(function* ({ id }, broadcastId, query, { after, limit }) {
        const from = Number(after?.[0] ?? 0)
        const until = from + mostPlaces
        const { contactId, reason, replied, status: wanted, variant } = query
        const conditions = sql.and([
          contactId === null
            ? sql`r.seq > ${from} AND r.seq <= ${until}`
            : sql`r.contact_id = ${contactId} AND r.seq > ${from}`,
          ...(wanted === null ? [] : [sql`${status} = ${wanted}`]),
          ...(reason === null ? [] : [sql`r.reason = ${reason}`]),
          ...(variant === null ? [] : [sql`r.variant = ${variant}::"char"`]),
          ...(replied === null ? [] : [sql`(r.replied_at IS NOT NULL) = ${replied}`])
        ])
        const rows = yield* sql<RecipientRow>`
          SELECT ${sql.literal(recipientColumns)}
          FROM broadcast_recipients AS r
          JOIN broadcasts AS b ON b.organization_id = ${id} AND b.id = r.broadcast_id
          LEFT JOIN (SELECT unnest(seqs) AS seq FROM broadcast_claims
            WHERE organization_id = ${id} AND broadcast_id = ${broadcastId}) AS w ON w.seq = r.seq
          WHERE r.organization_id = ${id} AND r.broadcast_id = ${broadcastId} AND ${conditions}
          ORDER BY r.seq LIMIT ${limit}`
        const found = rows.map((row) => recipientOf(broadcastId, row))
        if (contactId !== null || found.length >= limit) return { rows: found, resume: null }
        const [progress] = yield* sql<{ readonly listed: number }>`
          SELECT list_size AS listed FROM broadcast_progress WHERE organization_id = ${id} AND broadcast_id = ${broadcastId}`
        return { rows: found, resume: until < (progress?.listed ?? 0) ? [String(until)] : null }
      }),
      tally: Effect.fnUntraced(function* ({ id }, broadcastId) {
        // Recipients in a window have the status pending on the list.
        return yield* sql<RecipientTally>`
          WITH in_hand AS (
            SELECT r.variant::text AS variant, count(*)::integer AS count
            FROM broadcast_claims AS w CROSS JOIN LATERAL unnest(w.seqs) AS s (seq)
            JOIN broadcast_recipients AS r
              ON r.organization_id = ${id} AND r.broadcast_id = w.broadcast_id AND r.seq = s.seq
            WHERE w.organization_id = ${id} AND w.broadcast_id = ${broadcastId} GROUP BY r.variant
          ), counts AS (
            SELECT nullif(t.variant, '') AS variant, t.status, nullif(t.cause, '') AS cause, t.recipients AS count, t.replied,
              t.opted_out
            FROM broadcast_counts AS t WHERE t.organization_id = ${id} AND t.broadcast_id = ${broadcastId}
            UNION ALL SELECT variant, 'in_flight', NULL, count, 0, 0 FROM in_hand
            UNION ALL SELECT variant, 'pending', NULL, -count, 0, 0 FROM in_hand
          ), shown AS (
            SELECT c.*, CASE WHEN c.status = 'pending' AND ${isOver} THEN 'never_sent' ELSE c.status END AS shown
            FROM counts AS c
            JOIN broadcasts AS b ON b.organization_id = ${id} AND b.id = ${broadcastId}
          )
          SELECT variant, shown AS status, CASE shown WHEN 'excluded' THEN cause END AS reason,
            CASE shown WHEN 'failed' THEN cause END AS code, sum(count)::integer AS count, sum(replied)::integer AS replied,
            sum(opted_out)::integer AS "optedOut"
          FROM shown GROUP BY variant, shown, cause HAVING sum(count) <> 0`
      }),
      tallyCharges: Effect.fnUntraced(function* ({ id }, broadcastId) {
        const prefix = recipientPrefix(broadcastId)
        // The last 8 digits of a message id are the place of its recipient.
        return yield* sql<VariantChargeTally>`
          SELECT r.variant::text AS variant, ${sql.literal(chargeFacts)}, count(*)::integer AS messages
          FROM message_charges AS c JOIN broadcast_recipients AS r ON r.organization_id = ${id}
            AND r.broadcast_id = ${broadcastId} AND r.seq = ('x' || right(c.message_id::text, 8))::bit(32)::integer
          WHERE c.organization_id = ${id}
            AND c.message_id BETWEEN ${recipientIdAt(prefix, 0)} AND ${recipientIdAt(prefix, maxPlace)}
          GROUP BY 1, 2, 3, 4, 5, 6, 7`
      })
    })
  })
)
