import {
  CurrentOrganization,
  type PlacedRecipient,
  recipientIdAt,
  RecipientList,
  recipientPrefix,
  type RecipientTally
} from "@parley/domain"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Instant, utcOrNull } from "../kernel/columns.ts"
import { driverFailuresDie } from "../kernel/defects.ts"

type Times = "dueAt" | "sentAt" | "deliveredAt" | "readAt" | "failedAt" | "repliedAt" | "optedOutAt"

interface Row extends Omit<PlacedRecipient, Times | "id">, Readonly<Record<Times, Instant | null>> {}

/** So many places of a list are looked through at once. */
const mostPlaces = 20_000

export const layer = Layer.effect(
  RecipientList,
  Effect.map(SqlClient.SqlClient, (sql) => {
    // What is in hand stands in windows, and whoever was left when the broadcast ended never gets anything.
    const status =
      sql.literal(`CASE WHEN w.seq IS NOT NULL THEN 'in_flight' WHEN r.status NOT IN ('pending', 'waiting') THEN r.status
      WHEN b.status IN ('completed', 'cancelled', 'failed') THEN 'never_sent' ELSE 'pending' END`)

    return RecipientList.of({
      list: Effect.fnUntraced(function* (broadcastId, query, { after, limit }) {
        const { id } = yield* CurrentOrganization
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
        const rows = yield* sql<Row>`
          SELECT r.seq, r.contact_id AS "contactId", r.address, r.variant::text AS variant, ${status} AS status, r.reason,
            r.error, r.attempts, r.due_at AS "dueAt", r.sent_at AS "sentAt", r.delivered_at AS "deliveredAt",
            r.read_at AS "readAt", r.failed_at AS "failedAt", r.replied_at AS "repliedAt",
            r.opted_out_at AS "optedOutAt", r.conversation_id AS "conversationId"
          FROM broadcast_recipients AS r
          JOIN broadcasts AS b ON b.organization_id = ${id} AND b.id = r.broadcast_id
          LEFT JOIN (SELECT unnest(seqs) AS seq FROM broadcast_windows
            WHERE organization_id = ${id} AND broadcast_id = ${broadcastId}) AS w ON w.seq = r.seq
          WHERE r.organization_id = ${id} AND r.broadcast_id = ${broadcastId} AND ${conditions}
          ORDER BY r.seq LIMIT ${limit}`
        const prefix = recipientPrefix(broadcastId)
        const found = rows.map((row): PlacedRecipient => ({
          ...row,
          id: recipientIdAt(prefix, row.seq),
          dueAt: utcOrNull(row.dueAt),
          sentAt: utcOrNull(row.sentAt),
          deliveredAt: utcOrNull(row.deliveredAt),
          readAt: utcOrNull(row.readAt),
          failedAt: utcOrNull(row.failedAt),
          repliedAt: utcOrNull(row.repliedAt),
          optedOutAt: utcOrNull(row.optedOutAt)
        }))
        if (contactId !== null || found.length >= limit) return { rows: found, resume: null }
        const [progress] = yield* sql<{ readonly listed: number }>`
          SELECT listed FROM broadcast_progress WHERE organization_id = ${id} AND broadcast_id = ${broadcastId}`
        return { rows: found, resume: until < (progress?.listed ?? 0) ? [String(until)] : null }
      }, driverFailuresDie),
      tally: Effect.fnUntraced(function* (broadcastId) {
        const { id } = yield* CurrentOrganization
        return yield* sql<RecipientTally>`
          SELECT r.variant::text AS variant, ${status} AS status, r.reason, r.error ->> 'code' AS code,
            count(*)::integer AS count, count(r.replied_at)::integer AS replied,
            count(r.opted_out_at)::integer AS "optedOut"
          FROM broadcast_recipients AS r
          JOIN broadcasts AS b ON b.organization_id = ${id} AND b.id = r.broadcast_id
          LEFT JOIN (SELECT unnest(seqs) AS seq FROM broadcast_windows
            WHERE organization_id = ${id} AND broadcast_id = ${broadcastId}) AS w ON w.seq = r.seq
          WHERE r.organization_id = ${id} AND r.broadcast_id = ${broadcastId}
          GROUP BY 1, 2, 3, 4`
      }, driverFailuresDie)
    })
  })
)
