import { PgTypes } from "@effect/sql-pg"
import type { OrganizationId } from "@parley/domain/kernel"
import {
  AnalyticsFigures,
  type DaySum,
  type PersonSteps,
  type PersonSum,
  type RangeSum,
  type ScopeSum,
  type VariantSum,
  type WeekHourSum
} from "@parley/domain/analytics"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { uuids } from "../kernel/uuids.ts"
import { tenantPort } from "../kernel/tenantPort.ts"

export const layer = Layer.effect(
  AnalyticsFigures,
  Effect.map(SqlClient.SqlClient, (sql) => {
    /** Sums by step, as two parallel arrays: sending a row for each step would cost more than adding. */
    const steps = sql`array_agg(step) AS steps, array_agg(amount::float8) AS amounts`
    const among = (figures: ReadonlyArray<string> | null) =>
      figures === null ? sql`` : sql`AND figure = ANY(${Array.from(figures)}::text[])`

    /** The requested figures, or all of the scope. They are found one by one: only their names are read from the quarter hours. */
    const named = (
      organizationId: OrganizationId,
      version: number,
      scope: string,
      figures: ReadonlyArray<string> | null
    ) =>
      figures === null
        ? sql`WITH RECURSIVE named AS (
            (SELECT figure FROM analytics_quarters WHERE organization_id = ${organizationId} AND rollup_version = ${version}
              AND scope = ${scope} ORDER BY figure LIMIT 1)
            UNION ALL
            SELECT (SELECT q.figure FROM analytics_quarters AS q WHERE q.organization_id = ${organizationId}
              AND q.rollup_version = ${version} AND q.scope = ${scope} AND q.figure > n.figure ORDER BY q.figure LIMIT 1)
            FROM named AS n WHERE n.figure IS NOT NULL
          )`
        : sql`WITH named AS (SELECT figure FROM unnest(${Array.from(figures)}::text[]) AS n (figure))`

    /** Quarter hours of each named figure in each range. No other rows are read, however long the history. */
    const quartersOf = (organizationId: OrganizationId, version: number, scope: string) => sql`
      CROSS JOIN named CROSS JOIN LATERAL (
        SELECT quarter, step, amount FROM analytics_quarters
        WHERE organization_id = ${organizationId} AND rollup_version = ${version} AND scope = ${scope}
          AND figure = named.figure AND quarter >= r."from" AND quarter < r."to" OFFSET 0
      ) AS q`

    return tenantPort(AnalyticsFigures, {
      days: Effect.fnUntraced(function* ({ id }, version, scope, figures, from, to) {
        const isOfScope = sql`organization_id = ${id} AND rollup_version = ${version} AND scope = ${scope} AND amount <> 0`
        if (figures === null) {
          return yield* sql<DaySum>`
            SELECT date::text, figure, ${steps} FROM analytics_days
            WHERE ${isOfScope} AND date BETWEEN ${from}::date AND ${to}::date
            GROUP BY date, figure`
        }
        // Day by day and figure by figure: a day has a hundred times as many rows of other figures.
        return yield* sql<DaySum>`
          SELECT d.date::text, d.figure, ${steps}
          FROM generate_series(${from}::date, ${to}::date, interval '1 day') AS day
          CROSS JOIN unnest(${Array.from(figures)}::text[]) AS f (figure)
          CROSS JOIN LATERAL (
            SELECT date, figure, step, amount FROM analytics_days
            WHERE ${isOfScope} AND date = day::date AND figure = f.figure OFFSET 0
          ) AS d GROUP BY d.date, d.figure`
      }),
      ranges: Effect.fnUntraced(function* ({ id }, version, scope, figures, ranges) {
        const asked = ranges.map((range, index) => ({ ...range, range: index })).filter(({ from, to }) => from < to)
        if (asked.length === 0) return []
        return yield* sql<RangeSum>`
          ${named(id, version, scope, figures)}
          SELECT range, figure, ${steps} FROM (
            SELECT r.range, named.figure, q.step, sum(q.amount) AS amount
            FROM json_to_recordset(${PgTypes.json(asked)}) AS r (range integer, "from" integer, "to" integer)
            ${quartersOf(id, version, scope)}
            GROUP BY r.range, named.figure, q.step HAVING sum(q.amount) <> 0
          ) AS summed GROUP BY range, figure`
      }),
      before: Effect.fnUntraced(function* ({ id }, version, scope, figures, date) {
        // Day by day: no other figures of these days are read.
        const rows = yield* sql<{ readonly figure: string; readonly amount: number }>`
          WITH first AS (
            SELECT date FROM analytics_days WHERE organization_id = ${id} AND rollup_version = ${version} AND scope = ${scope}
            ORDER BY date LIMIT 1
          )
          SELECT d.figure, sum(d.amount)::float8 AS amount
          FROM first CROSS JOIN generate_series(first.date, ${date}::date - 1, interval '1 day') AS day
          CROSS JOIN unnest(${Array.from(figures)}::text[]) AS f (figure)
          CROSS JOIN LATERAL (
            SELECT figure, amount FROM analytics_days WHERE organization_id = ${id} AND rollup_version = ${version}
              AND scope = ${scope} AND date = day::date AND figure = f.figure OFFSET 0
          ) AS d GROUP BY d.figure`
        return new Map(rows.map(({ amount, figure }) => [figure, amount]))
      }),
      totals: Effect.fnUntraced(function* ({ id }, version, scopes, prefix) {
        if (scopes.length === 0) return []
        return yield* sql<ScopeSum>`
          SELECT scope, figure, sum(amount)::float8 AS amount FROM analytics_days
          WHERE organization_id = ${id} AND rollup_version = ${version} AND scope = ANY(${uuids(scopes)})
            AND starts_with(figure, ${prefix})
          GROUP BY scope, figure HAVING sum(amount) <> 0`
      }),
      variantTotals: Effect.fnUntraced(function* ({ id }, version, broadcastId, prefix) {
        // Starts from the orders around the broadcast, because they are fewer than its recipients. Receipts can be earlier than the local clock.
        return yield* sql<VariantSum>`
          SELECT v.variant::text AS variant, f.figure, sum(f.amount)::float8 AS amount
          FROM broadcasts AS b CROSS JOIN LATERAL (
            SELECT o.id, o.contact_id FROM store_orders AS o
            WHERE o.organization_id = ${id} AND o.contact_id IS NOT NULL AND o.placed_at >= b.started_at - interval '30 days'
              AND (b.ended_at IS NULL OR o.placed_at <= b.ended_at + interval '60 days')
            OFFSET 0
          ) AS o JOIN analytics_counted_records AS k ON k.organization_id = ${id} AND k.rollup_version = ${version} AND k.id = o.id AND k.part = 0
          CROSS JOIN LATERAL (
            SELECT r.variant FROM broadcast_recipients AS r
            WHERE r.organization_id = ${id} AND r.broadcast_id = b.id AND r.contact_id = o.contact_id
              AND r.variant IS NOT NULL
            ORDER BY r.status IN ('sent', 'delivered', 'read') DESC, r.seq LIMIT 1
          ) AS v CROSS JOIN LATERAL (
            SELECT c.value ->> 0 AS figure, (c.value ->> 3)::bigint AS amount
            FROM json_array_elements(k.counts -> 'c') AS c
          ) AS f
          WHERE b.organization_id = ${id} AND b.id = ${broadcastId} AND (k.counts -> 's' ->> 0)::uuid = b.id
            AND starts_with(f.figure, ${prefix})
          GROUP BY v.variant, f.figure HAVING sum(f.amount) <> 0`
      }),
      weekHours: Effect.fnUntraced(function* ({ id }, version, scope, figures, ranges) {
        if (ranges.length === 0) return []
        // 1970 started on a Thursday, 72 hours after a Monday.
        return yield* sql<WeekHourSum>`
          ${named(id, version, scope, figures)}
          SELECT ((q.quarter + r.shift) / 4 + 72) % 168 AS hour, sum(q.amount)::float8 AS amount
          FROM json_to_recordset(${PgTypes.json(ranges)}) AS r ("from" integer, "to" integer, shift integer)
          ${quartersOf(id, version, scope)}
          GROUP BY 1 HAVING sum(q.amount) <> 0`
      }),
      people: Effect.fnUntraced(function* ({ id }, version, figures, from, to) {
        // Scope by scope: only the days of the range are read.
        return yield* sql<PersonSum>`
          WITH RECURSIVE scopes AS (
            (SELECT scope FROM analytics_days WHERE organization_id = ${id} AND rollup_version = ${version} ORDER BY scope LIMIT 1)
            UNION ALL
            SELECT (SELECT d.scope FROM analytics_days AS d
              WHERE d.organization_id = ${id} AND d.rollup_version = ${version} AND d.scope > s.scope ORDER BY d.scope LIMIT 1)
            FROM scopes AS s WHERE s.scope IS NOT NULL
          )
          SELECT u.id AS "userId", d.figure, sum(d.amount)::float8 AS amount
          FROM scopes AS s JOIN users AS u ON u.id = s.scope
          JOIN analytics_days AS d ON d.organization_id = ${id} AND d.rollup_version = ${version} AND d.scope = s.scope
            AND d.date BETWEEN ${from}::date AND ${to}::date ${among(figures)}
          GROUP BY u.id, d.figure HAVING sum(d.amount) <> 0`
      }),
      stepsOf: Effect.fnUntraced(function* ({ id }, version, userIds, figures, from, to) {
        if (userIds.length === 0) return []
        return yield* sql<PersonSteps>`
          SELECT scope AS "userId", figure, ${steps} FROM (
            SELECT scope, figure, step, sum(amount) AS amount FROM analytics_days
            WHERE organization_id = ${id} AND rollup_version = ${version} AND scope = ANY(${uuids(userIds)})
              AND date BETWEEN ${from}::date AND ${to}::date ${among(figures)}
            GROUP BY scope, figure, step HAVING sum(amount) <> 0
          ) AS summed GROUP BY scope, figure`
      })
    })
  })
)
