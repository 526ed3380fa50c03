import { PgTypes } from "@effect/sql-pg"
import { RollupStore, type RollupState, type DayTally, type Tally } from "@parley/domain/analytics"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Instant, stamp, utcOrNull } from "../kernel/columns.ts"
import { uuids } from "../kernel/uuids.ts"
import { tenantPort } from "../kernel/tenantPort.ts"
import { compareVersions } from "./compareVersions.ts"
import { activityRows } from "./activityRows.ts"
import { keptRecords } from "./keptRecords.ts"

interface StateRow {
  readonly version: number
  readonly timezone: string
  readonly position: bigint
  readonly recountVersion: number | null
  readonly recountPosition: bigint | null
  readonly attributionHours: number | null
  readonly checkedAt: Instant | null
}

const stateOf = ({ checkedAt, position, recountVersion, recountPosition, ...row }: StateRow): RollupState => ({
  ...row,
  position: Number(position),
  recount: recountVersion === null ? null : { version: recountVersion, position: Number(recountPosition ?? 0n) },
  checkedAt: utcOrNull(checkedAt)
})

type Stored<Row extends { readonly amount: number }> = Omit<Row, "amount"> & { readonly amount: bigint }

const withAmount = <Row extends { readonly amount: bigint }>({ amount, ...row }: Row) => ({
  ...row,
  amount: Number(amount)
})

export const layer = Layer.effect(
  RollupStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql`rollup_version AS version, timezone, position, rebuild_version AS "recountVersion",
      rebuild_position AS "recountPosition", attribution_hours AS "attributionHours", checked_at AS "checkedAt"`

    return tenantPort(RollupStore, {
      find: Effect.fnUntraced(function* ({ id }) {
        const [row] = yield* sql<StateRow>`SELECT ${columns} FROM analytics_rollups WHERE organization_id = ${id}`
        return row === undefined ? null : stateOf(row)
      }),
      lock: Effect.fnUntraced(function* ({ id }, timezone) {
        yield* sql`
          INSERT INTO analytics_rollups (organization_id, rollup_version, timezone, position) VALUES (${id}, 1, ${timezone}, 0)
          ON CONFLICT (organization_id) DO NOTHING`
        const [row] = yield* sql<StateRow>`
          SELECT ${columns} FROM analytics_rollups WHERE organization_id = ${id} FOR UPDATE`
        return row === undefined ? yield* Effect.die(new Error("There is no rollup state to lock.")) : stateOf(row)
      }),
      save: Effect.fnUntraced(function* (
        { id },
        { attributionHours, checkedAt, version, position, recount, timezone }
      ) {
        yield* sql`
          UPDATE analytics_rollups SET rollup_version = ${version}, timezone = ${timezone}, position = ${position},
            rebuild_version = ${recount?.version ?? null}, rebuild_position = ${recount?.position ?? null},
            attribution_hours = ${attributionHours}, checked_at = ${stamp(checkedAt)}
          WHERE organization_id = ${id}`
      }),
      ...keptRecords(sql),
      ...activityRows(sql),
      add: Effect.fnUntraced(function* ({ id }, version, quarters, days) {
        if (quarters.length > 0) {
          yield* sql`
            INSERT INTO analytics_quarters AS q (organization_id, rollup_version, scope, figure, quarter, step, amount)
            SELECT ${id}, ${version}, r.scope, r.figure, r.quarter, r.step, r.amount
            FROM json_to_recordset(${PgTypes.json(quarters)})
              AS r (scope uuid, figure text, quarter integer, step integer, amount bigint)
            ON CONFLICT (organization_id, rollup_version, scope, figure, quarter, step)
              DO UPDATE SET amount = q.amount + EXCLUDED.amount`
        }
        if (days.length > 0) {
          yield* sql`
            INSERT INTO analytics_days AS d (organization_id, rollup_version, scope, date, figure, step, amount)
            SELECT ${id}, ${version}, r.scope, r.date, r.figure, r.step, r.amount
            FROM json_to_recordset(${PgTypes.json(days)})
              AS r (scope uuid, date date, figure text, step integer, amount bigint)
            ON CONFLICT (organization_id, rollup_version, scope, date, figure, step)
              DO UPDATE SET amount = d.amount + EXCLUDED.amount`
        }
      }),
      days: Effect.fnUntraced(function* ({ id }, version, scope, from, to) {
        const rows = yield* sql<Stored<DayTally>>`
          SELECT scope, date::text, figure, step, amount FROM analytics_days
          WHERE organization_id = ${id} AND rollup_version = ${version} AND scope = ${scope}
            AND date BETWEEN ${from}::date AND ${to}::date AND amount <> 0`
        return rows.map(withAmount)
      }),
      quarters: Effect.fnUntraced(function* ({ id }, version, scope, from, to) {
        const rows = yield* sql<Stored<Tally>>`
          SELECT scope, figure, quarter, step, amount FROM analytics_quarters
          WHERE organization_id = ${id} AND rollup_version = ${version} AND scope = ${scope}
            AND quarter >= ${from} AND quarter < ${to} AND amount <> 0`
        return rows.map(withAmount)
      }),
      extent: Effect.fnUntraced(function* ({ id }, version) {
        const [row] = yield* sql<{ readonly first: number | null; readonly last: number | null }>`
          SELECT min(quarter) AS first, max(quarter) AS last FROM analytics_quarters
          WHERE organization_id = ${id} AND rollup_version = ${version}`
        return row?.first == null || row.last === null ? null : { first: row.first, last: row.last }
      }),
      rebuildDays: Effect.fnUntraced(function* ({ id }, version, days) {
        yield* sql`DELETE FROM analytics_days WHERE organization_id = ${id} AND rollup_version = ${version}`
        if (days.length === 0) return
        yield* sql`
          INSERT INTO analytics_days (organization_id, rollup_version, scope, date, figure, step, amount)
          SELECT ${id}, ${version}, q.scope, b.date, q.figure, q.step, sum(q.amount)
          FROM json_to_recordset(${PgTypes.json(days)}) AS b (date date, "from" integer, "to" integer)
          JOIN analytics_quarters AS q ON q.organization_id = ${id} AND q.rollup_version = ${version}
            AND q.quarter >= b."from" AND q.quarter < b."to"
          GROUP BY q.scope, b.date, q.figure, q.step HAVING sum(q.amount) <> 0`
      }),
      addErased: Effect.fnUntraced(function* ({ id }, tallies) {
        if (tallies.length === 0) return
        yield* sql`
          INSERT INTO analytics_erased_counts AS e (organization_id, scope, figure, quarter, step, amount)
          SELECT ${id}, r.scope, r.figure, r.quarter, r.step, r.amount
          FROM json_to_recordset(${PgTypes.json(tallies)})
            AS r (scope uuid, figure text, quarter integer, step integer, amount bigint)
          ON CONFLICT (organization_id, scope, figure, quarter, step) DO UPDATE SET amount = e.amount + EXCLUDED.amount`
      }),
      erased: Effect.fnUntraced(function* ({ id }) {
        const rows = yield* sql<Stored<Tally>>`
          SELECT scope, figure, quarter, step, amount FROM analytics_erased_counts WHERE organization_id = ${id}`
        return rows.map(withAmount)
      }),
      keepAttributions: Effect.fnUntraced(function* ({ id }, credits) {
        if (credits.size === 0) return
        const rows = Array.from(credits, ([order, broadcast]) => ({ order, broadcast }))
        yield* sql`
          INSERT INTO analytics_credits (organization_id, order_id, broadcast_id)
          SELECT ${id}, r."order", r.broadcast FROM json_to_recordset(${PgTypes.json(rows)}) AS r ("order" uuid, broadcast uuid)
          ON CONFLICT (organization_id, order_id) DO NOTHING`
      }),
      dropAttributions: Effect.fnUntraced(function* ({ id }, orderIds) {
        yield* sql`
          DELETE FROM analytics_credits WHERE organization_id = ${id} AND order_id = ANY(${uuids(orderIds)})`
      }),
      compare: compareVersions(sql),
      remove: Effect.fnUntraced(function* ({ id }, version) {
        for (const table of [
          "analytics_counted_records",
          "analytics_presence",
          "analytics_quarters",
          "analytics_days"
        ]) {
          yield* sql`DELETE FROM ${sql(table)} WHERE organization_id = ${id} AND rollup_version = ${version}`
        }
      })
    })
  })
)
