import { type StartedBroadcast, StartedBroadcasts } from "@parley/domain/analytics"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Instant, stamp, utc } from "../kernel/columns.ts"
import { tenantPort } from "../kernel/tenantPort.ts"

interface Row extends Omit<StartedBroadcast, "startedAt"> {
  readonly startedAt: Instant
}

export const layer = Layer.effect(
  StartedBroadcasts,
  Effect.map(SqlClient.SqlClient, (sql) =>
    tenantPort(StartedBroadcasts, {
      list: Effect.fnUntraced(function* (organization, from, to, { after, limit }) {
        const [started, id] = after ?? []
        const rest =
          started === undefined
            ? sql``
            : sql`AND (b.started_at, b.id) < (${stamp(DateTime.makeUnsafe(Number(started)))}::timestamptz, ${id}::uuid)`
        const of = (statuses: string) =>
          sql.literal(`coalesce(sum(t.recipients) FILTER (WHERE t.status IN (${statuses})), 0)::integer`)
        const rows = yield* sql<Row>`
          SELECT p.id, p.name, p.status, p.started_at AS "startedAt", s.* FROM (
            SELECT b.id, b.name, b.status, b.started_at FROM broadcasts AS b
            WHERE b.organization_id = ${organization.id} AND b.started_at >= ${stamp(from)} AND b.started_at < ${stamp(to)}
              ${rest}
            ORDER BY b.started_at DESC, b.id DESC LIMIT ${limit}
          ) AS p CROSS JOIN LATERAL (
            SELECT coalesce(sum(t.recipients), 0)::integer AS matched, ${of("'failed'")} AS failed,
              ${of("'in_doubt'")} AS "inDoubt", coalesce(sum(t.opted_out), 0)::integer AS "optedOut",
              ${of("'sent', 'delivered', 'read'")} AS sent, ${of("'delivered', 'read'")} AS delivered, ${of("'read'")} AS read,
              coalesce(sum(t.replied), 0)::integer AS replied
            FROM broadcast_counts AS t WHERE t.organization_id = ${organization.id} AND t.broadcast_id = p.id
          ) AS s ORDER BY p.started_at DESC, p.id DESC`
        return rows.map((row) => ({ ...row, startedAt: utc(row.startedAt) }))
      })
    })
  )
)
