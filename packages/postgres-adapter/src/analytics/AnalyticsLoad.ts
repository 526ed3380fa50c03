import { AnalyticsLoad, type Colleague, type LiveCount, type MemberLoad, waitSteps } from "@parley/domain/analytics"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Instant, stamp, utcOrNull } from "../kernel/columns.ts"
import { uuids } from "../kernel/uuids.ts"
import { tenantPort } from "../kernel/tenantPort.ts"

interface LiveRow extends Omit<LiveCount, "oldest"> {
  readonly oldest: Instant | null
}

/** Seconds at which a wait enters the next step. */
const edges = waitSteps.flatMap((upTo) => (upTo === null ? [] : [upTo + 1]))

export const layer = Layer.effect(
  AnalyticsLoad,
  Effect.map(SqlClient.SqlClient, (sql) =>
    tenantPort(AnalyticsLoad, {
      byAssignee: Effect.fnUntraced(function* ({ id }) {
        return yield* sql<MemberLoad>`
          SELECT assignee_id AS "userId", count(*) FILTER (WHERE status = 'open')::integer AS open,
            count(waiting_since)::integer AS waiting
          FROM conversations WHERE organization_id = ${id} AND status <> 'resolved' GROUP BY assignee_id`
      }),
      live: Effect.fnUntraced(function* ({ id }, chatAccountId, now) {
        const rows = yield* sql<LiveRow>`
          SELECT status, assignee_id IS NOT NULL AS "isAssigned",
            width_bucket(
              floor(extract(epoch FROM ${stamp(now)}::timestamptz)) - floor(extract(epoch FROM waiting_since)),
              ${edges}::numeric[]
            ) AS step,
            count(*)::integer AS count, min(waiting_since) AS oldest
          FROM conversations WHERE organization_id = ${id} AND status <> 'resolved'
            ${chatAccountId === null ? sql`` : sql`AND chat_account_id = ${chatAccountId}`}
          GROUP BY 1, 2, 3`
        return rows.map((row) => ({ ...row, oldest: utcOrNull(row.oldest) }))
      }),
      colleagues: Effect.fnUntraced(function* ({ id }, ids) {
        if (ids.length === 0) return []
        return yield* sql<Colleague>`
          SELECT u.id, u.name, CASE WHEN m.id IS NULL THEN 'former' ELSE u.status END AS status
          FROM users AS u LEFT JOIN members AS m ON m.organization_id = ${id} AND m.user_id = u.id
          WHERE u.id = ANY(${uuids(ids)})`
      })
    })
  )
)
