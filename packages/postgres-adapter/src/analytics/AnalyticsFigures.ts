import { PgTypes } from "@effect/sql-pg"
import { AnalyticsFigures, CurrentOrganization, type DaySum, type RangeSum } from "@parley/domain"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { driverFailuresDie } from "../kernel/defects.ts"

export const layer = Layer.effect(
  AnalyticsFigures,
  Effect.map(SqlClient.SqlClient, (sql) => {
    /** Sums by steps, as two arrays of one order: a row for each step would cost more to send than to add. */
    const steps = sql`array_agg(step) AS steps, array_agg(amount::float8) AS amounts`
    const among = (figures: ReadonlyArray<string> | null) =>
      figures === null ? sql`` : sql`AND figure = ANY(${Array.from(figures)}::text[])`

    return AnalyticsFigures.of({
      days: Effect.fnUntraced(function* (edition, scope, figures, from, to) {
        const { id } = yield* CurrentOrganization
        return yield* sql<DaySum>`
          SELECT date::text, figure, ${steps} FROM analytics_days
          WHERE organization_id = ${id} AND edition = ${edition} AND scope = ${scope}
            AND date BETWEEN ${from}::date AND ${to}::date AND amount <> 0 ${among(figures)}
          GROUP BY date, figure`
      }, driverFailuresDie),
      ranges: Effect.fnUntraced(function* (edition, scope, figures, ranges) {
        const asked = ranges.map((range, index) => ({ ...range, range: index })).filter(({ from, to }) => from < to)
        if (asked.length === 0) return []
        const { id } = yield* CurrentOrganization
        return yield* sql<RangeSum>`
          SELECT range, figure, ${steps} FROM (
            SELECT r.range, q.figure, q.step, sum(q.amount) AS amount
            FROM json_to_recordset(${PgTypes.json(asked)}) AS r (range integer, "from" integer, "to" integer)
            JOIN analytics_quarters AS q ON q.organization_id = ${id} AND q.edition = ${edition} AND q.scope = ${scope}
              AND q.quarter >= r."from" AND q.quarter < r."to" ${among(figures)}
            GROUP BY r.range, q.figure, q.step HAVING sum(q.amount) <> 0
          ) AS summed GROUP BY range, figure`
      }, driverFailuresDie),
      before: Effect.fnUntraced(function* (edition, scope, figures, quarter) {
        const { id } = yield* CurrentOrganization
        const rows = yield* sql<{ readonly figure: string; readonly amount: number }>`
          SELECT figure, sum(amount)::float8 AS amount FROM analytics_quarters
          WHERE organization_id = ${id} AND edition = ${edition} AND scope = ${scope} AND quarter < ${quarter}
            ${among(figures)}
          GROUP BY figure`
        return new Map(rows.map(({ amount, figure }) => [figure, amount]))
      }, driverFailuresDie)
    })
  })
)
