import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { quoted } from "./catalog.ts"

/** Result of a check over all rows. */
export interface InvariantResult {
  readonly name: string
  /** What is wrong; empty for a database that passes. */
  readonly problems: ReadonlyArray<string>
}

interface Counted {
  readonly of: string
  readonly count: number
}

const described = (rows: ReadonlyArray<Counted>, problem: string) =>
  rows.filter(({ count }) => count > 0).map(({ count, of }) => `${of}: ${count} ${problem}`)

interface ForeignKey {
  readonly name: string
  readonly from: string
  readonly to: string
  readonly columns: ReadonlyArray<string>
  readonly targets: ReadonlyArray<string>
}

/** Each row with a complete foreign key has its target. COPY checks it already; this check does not rely on it. */
const foreignKeys = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const keys = yield* sql<ForeignKey>`
    SELECT k.conname::text AS name, f.relname::text AS "from", t.relname::text AS "to",
      (SELECT array_agg(a.attname::text ORDER BY n.place) FROM unnest(k.conkey) WITH ORDINALITY AS n (number, place)
        JOIN pg_attribute AS a ON a.attrelid = k.conrelid AND a.attnum = n.number) AS columns,
      (SELECT array_agg(a.attname::text ORDER BY n.place) FROM unnest(k.confkey) WITH ORDINALITY AS n (number, place)
        JOIN pg_attribute AS a ON a.attrelid = k.confrelid AND a.attnum = n.number) AS targets
    FROM pg_constraint AS k JOIN pg_class AS f ON f.oid = k.conrelid JOIN pg_class AS t ON t.oid = k.confrelid
    WHERE k.contype = 'f' AND k.connamespace = current_schema()::regnamespace ORDER BY f.relname, k.conname`
  const rows = yield* Effect.forEach(keys, ({ columns, from, name, targets, to }) => {
    const pairs = columns.map((column, place) => `t.${quoted(targets[place] ?? column)} = f.${quoted(column)}`)
    const complete = columns.map((column) => `f.${quoted(column)} IS NOT NULL`)
    const query = `SELECT count(*)::integer AS count FROM ${quoted(from)} AS f
      WHERE ${complete.join(" AND ")} AND NOT EXISTS (SELECT FROM ${quoted(to)} AS t WHERE ${pairs.join(" AND ")})`
    return Effect.map(sql<{ readonly count: number }>`${sql.literal(query)}`, ([row]) => ({
      of: `${from} (${name})`,
      count: row?.count ?? 0
    }))
  })
  return described(rows, "rows without their target")
})

/** Positions of an organization follow each other without gaps up to its head. */
const eventPositions = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const rows = yield* sql<Counted>`
    SELECT organization_id::text AS of, (max(position) - min(position) + 1 - count(*))::integer AS count FROM events
    GROUP BY organization_id ORDER BY organization_id`
  const heads = yield* sql<Counted>`
    SELECT e.organization_id::text AS of, count(*)::integer AS count FROM events AS e
      LEFT JOIN event_heads AS h ON h.organization_id = e.organization_id
    WHERE e.position > coalesce(h.head, 0) GROUP BY e.organization_id ORDER BY e.organization_id`
  return [...described(rows, "missing event positions"), ...described(heads, "events after the head")]
})

/** A complete file has chunks 0, 1, 2 and so on, and together they have its size. */
const files = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const rows = yield* sql<Counted>`
    SELECT f.organization_id::text AS of, count(*)::integer AS count FROM files AS f
      LEFT JOIN LATERAL (
        SELECT coalesce(sum(octet_length(c.bytes)), 0) AS bytes, count(*) AS chunks,
          coalesce(max(c.number) - min(c.number) + 1, 0) AS span
        FROM file_chunks AS c WHERE c.organization_id = f.organization_id AND c.file_id = f.id) AS c ON true
    WHERE f.state = 'complete' AND (c.bytes <> f.size OR c.chunks <> c.span)
    GROUP BY f.organization_id ORDER BY f.organization_id`
  return described(rows, "complete files without all their bytes")
})

/** Checks rules that hold in every database of Parley. */
export const brokenInvariants = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return [
    { name: "foreign_keys", problems: yield* foreignKeys(sql) },
    { name: "event_positions", problems: yield* eventPositions(sql) },
    { name: "files", problems: yield* files(sql) }
  ] satisfies ReadonlyArray<InvariantResult>
})

/** Numbers of rows of these tables, in their order. */
export const countRows = Effect.fnUntraced(function* (tables: ReadonlyArray<{ readonly name: string }>) {
  const sql = yield* SqlClient.SqlClient
  return yield* Effect.forEach(tables, ({ name }) =>
    Effect.map(
      sql<{ readonly count: number }>`SELECT count(*)::float8 AS count FROM ${sql.literal(quoted(name))}`,
      ([row]) => row?.count ?? 0
    )
  )
})
