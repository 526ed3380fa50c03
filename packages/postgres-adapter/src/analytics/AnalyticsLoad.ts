import { AnalyticsLoad, type Colleague, CurrentOrganization, type Load } from "@parley/domain"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { driverFailuresDie } from "../kernel/defects.ts"
import { uuids } from "../kernel/uuids.ts"

export const layer = Layer.effect(
  AnalyticsLoad,
  Effect.map(SqlClient.SqlClient, (sql) =>
    AnalyticsLoad.of({
      byAssignee: Effect.fnUntraced(function* () {
        const { id } = yield* CurrentOrganization
        return yield* sql<Load>`
          SELECT assignee_id AS "userId", count(*) FILTER (WHERE status = 'open')::integer AS open,
            count(waiting_since)::integer AS waiting
          FROM conversations WHERE organization_id = ${id} AND status <> 'resolved' GROUP BY assignee_id`
      }, driverFailuresDie),
      colleagues: Effect.fnUntraced(function* (ids) {
        if (ids.length === 0) return []
        const { id } = yield* CurrentOrganization
        return yield* sql<Colleague>`
          SELECT u.id, u.name, CASE WHEN m.id IS NULL THEN 'former' ELSE u.status END AS status
          FROM users AS u LEFT JOIN members AS m ON m.organization_id = ${id} AND m.user_id = u.id
          WHERE u.id = ANY(${uuids(ids)})`
      }, driverFailuresDie)
    })
  )
)
