import { PgTypes } from "@effect/sql-pg"
import type { RollupStore, RecordKey } from "@parley/domain/analytics"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { restored, stored, type StoredCounts } from "./keptCounts.ts"
import { uuids } from "../kernel/uuids.ts"
import type { TenantMethods } from "../kernel/tenantPort.ts"

interface Place {
  readonly id: string
  readonly part: number
}

interface Row extends Place {
  readonly counts: StoredCounts
}

const placeOf = (key: RecordKey): Place => {
  const [id = key, part] = key.split("#")
  return { id, part: Number(part ?? 0) }
}

const keyOf = ({ id, part }: Place): RecordKey => (part === 0 ? id : `${id}#${part}`)

/** Stored counts of records, in the rows of `analytics_counted_records`. */
export const keptRecords = (
  sql: SqlClient.SqlClient
): TenantMethods<Pick<(typeof RollupStore)["Service"], "kept" | "keptParts" | "keep">> => ({
  kept: Effect.fnUntraced(function* (organization, version, keys) {
    if (keys.length === 0) return new Map()
    const rows = yield* sql<Row>`
      SELECT k.id, k.part, k.counts FROM json_to_recordset(${PgTypes.json(keys.map(placeOf))}) AS r (id uuid, part integer)
      JOIN analytics_counted_records AS k ON k.organization_id = ${organization.id} AND k.rollup_version = ${version}
        AND k.id = r.id AND k.part = r.part`
    return new Map(rows.map((row) => [keyOf(row), restored(row.counts)]))
  }),
  keptParts: Effect.fnUntraced(function* (organization, version, ids) {
    if (ids.length === 0) return new Map()
    const rows = yield* sql<Row>`
      SELECT k.id, k.part, k.counts FROM analytics_counted_records AS k
      WHERE k.organization_id = ${organization.id} AND k.rollup_version = ${version} AND k.id = ANY(${uuids(ids)})`
    return new Map(rows.map((row) => [keyOf(row), restored(row.counts)]))
  }),
  keep: Effect.fnUntraced(function* (organization, version, kept) {
    const rows = Array.from(kept, ([key, counts]) => ({ ...placeOf(key), counts: stored(counts) }))
    const gone = rows.filter(({ counts }) => counts.c.length === 0).map(({ id, part }) => ({ id, part }))
    const some = rows.filter(({ counts }) => counts.c.length > 0)
    if (gone.length > 0) {
      yield* sql`
        DELETE FROM analytics_counted_records AS k USING json_to_recordset(${PgTypes.json(gone)}) AS r (id uuid, part integer)
        WHERE k.organization_id = ${organization.id} AND k.rollup_version = ${version} AND k.id = r.id AND k.part = r.part`
    }
    if (some.length > 0) {
      yield* sql`
        INSERT INTO analytics_counted_records (organization_id, rollup_version, id, part, counts)
        SELECT ${organization.id}, ${version}, r.id, r.part, r.counts
        FROM json_to_recordset(${PgTypes.json(some)}) AS r (id uuid, part integer, counts json)
        ON CONFLICT (organization_id, rollup_version, id, part) DO UPDATE SET counts = EXCLUDED.counts`
    }
  })
})
