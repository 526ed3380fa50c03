import { type RollupComparison, type RollupVersion, wholeOrganization } from "@parley/domain/analytics"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { Organization } from "../kernel/tenantPort.ts"

interface DifferenceRow {
  readonly date: string
  readonly figure: string
  readonly kept: bigint
  readonly counted: bigint
}

/** Differences between the days of two rollup versions, by date and figure. */
export const compareVersions = (sql: SqlClient.SqlClient) =>
  Effect.fnUntraced(function* ({ id }: Organization, version: RollupVersion, other: RollupVersion) {
    const [size] = yield* sql<{ readonly days: bigint; readonly facts: bigint }>`
      SELECT count(DISTINCT date) AS days, coalesce(sum(amount)
        FILTER (WHERE figure NOT IN ('conversations.open', 'conversations.waiting') AND figure NOT LIKE 'commerce.%.%'), 0)::bigint
        AS facts FROM analytics_days
      WHERE organization_id = ${id} AND rollup_version = ${other} AND scope = ${wholeOrganization} AND amount <> 0`
    const rows = yield* sql<DifferenceRow>`
      SELECT date::text, figure, sum(kept)::bigint AS kept, sum(counted)::bigint AS counted FROM (
        SELECT scope, date, figure, step, sum(kept) AS kept, sum(counted) AS counted FROM (
          SELECT scope, date, figure, step, amount AS kept, 0 AS counted FROM analytics_days
          WHERE organization_id = ${id} AND rollup_version = ${version}
          UNION ALL
          SELECT scope, date, figure, step, 0, amount FROM analytics_days
          WHERE organization_id = ${id} AND rollup_version = ${other}
        ) AS both_versions GROUP BY scope, date, figure, step HAVING sum(kept) <> sum(counted)
      ) AS unequal GROUP BY date, figure ORDER BY date, figure`
    const comparison: RollupComparison = {
      days: Number(size?.days ?? 0n),
      facts: Number(size?.facts ?? 0n),
      differences: rows.map((row) => ({ ...row, kept: Number(row.kept), counted: Number(row.counted) }))
    }
    return comparison
  })
