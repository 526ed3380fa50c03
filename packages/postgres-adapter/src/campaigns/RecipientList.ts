import { CurrentOrganization, RecipientList, type RecipientTally } from "@parley/domain"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { driverFailuresDie } from "../kernel/defects.ts"
import { recipientColumns, recipientOf, type RecipientRow, recipientStatus } from "./recipientRow.ts"

/** So many places of a list are looked through at once. */
const mostPlaces = 20_000

export const layer = Layer.effect(
  RecipientList,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const status = sql.literal(recipientStatus)

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
        const rows = yield* sql<RecipientRow>`
          SELECT ${sql.literal(recipientColumns)}
          FROM broadcast_recipients AS r
          JOIN broadcasts AS b ON b.organization_id = ${id} AND b.id = r.broadcast_id
          LEFT JOIN (SELECT unnest(seqs) AS seq FROM broadcast_windows
            WHERE organization_id = ${id} AND broadcast_id = ${broadcastId}) AS w ON w.seq = r.seq
          WHERE r.organization_id = ${id} AND r.broadcast_id = ${broadcastId} AND ${conditions}
          ORDER BY r.seq LIMIT ${limit}`
        const found = rows.map((row) => recipientOf(broadcastId, row))
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
