import { Effect } from "effect"
import type { SqlClient } from "effect/sql"

/** A table with the columns that an archive contains. Generated columns follow from the others. */
export interface ArchivedTable {
  readonly name: string
  readonly columns: ReadonlyArray<string>
}

/** A sequence with its position. */
export interface SequencePosition {
  readonly name: string
  /** `null` before the first use. */
  readonly value: string | null
}

/** Tables of this installation: its schema, its hold and its running processes. */
const ownTables = ["parley_migrations", "installation_hold", "worker_processes", "task_shards"]

/** Quotes a name for statements that take no parameters. */
export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

export const columnList = ({ columns }: ArchivedTable) => columns.map(quoted).join(", ")

/** Settings that decide the text of values. COPY writes the same text on every server with them. */
export const setFormats = (sql: SqlClient.SqlClient) => sql`
  SELECT set_config('datestyle', 'ISO, YMD', false), set_config('intervalstyle', 'iso_8601', false),
    set_config('extra_float_digits', '1', false), set_config('bytea_output', 'hex', false)`

/** Names of all tables of an archive. */
export const readNames = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const rows = yield* sql<{ readonly name: string }>`
    SELECT relname::text AS name FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND NOT relname = ANY(${ownTables}::text[])
    ORDER BY relname`
  return rows.map(({ name }) => name)
})

interface Reference {
  readonly from: string
  readonly to: string
}

/** Orders tables: a table comes after all tables that it references. Fails for a cycle, which COPY in one order cannot fill. */
const ordered = (tables: ReadonlyArray<ArchivedTable>, references: ReadonlyArray<Reference>) => {
  const order: Array<ArchivedTable> = []
  const left = new Map(tables.map((table) => [table.name, table]))
  while (left.size > 0) {
    const ready = [...left.values()].filter(
      ({ name }) => !references.some(({ from, to }) => from === name && left.has(to))
    )
    if (ready.length === 0)
      throw new Error(`The foreign keys of these tables form a cycle: ${[...left.keys()].join(", ")}`)
    for (const table of ready) left.delete(table.name)
    order.push(...ready)
  }
  return order
}

/** The tables of an archive in the order of their foreign keys. */
export const readTables = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const columns = yield* sql<ArchivedTable>`
    SELECT c.relname::text AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
    FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND NOT c.relname = ANY(${ownTables}::text[])
      AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
    GROUP BY c.relname ORDER BY c.relname`
  const references = yield* sql<Reference>`
    SELECT f.relname::text AS "from", t.relname::text AS "to" FROM pg_constraint AS k
      JOIN pg_class AS f ON f.oid = k.conrelid JOIN pg_class AS t ON t.oid = k.confrelid
    WHERE k.contype = 'f' AND k.connamespace = current_schema()::regnamespace AND k.conrelid <> k.confrelid`
  return ordered(
    columns.map(({ columns, name }) => ({ name, columns: Array.from(columns) })),
    references
  )
})

/** Positions of the sequences. */
export const readSequences = (sql: SqlClient.SqlClient) => sql<SequencePosition>`
  SELECT sequencename::text AS name, last_value::text AS value FROM pg_sequences
  WHERE schemaname = current_schema() ORDER BY sequencename`

/** Sets a sequence. A rollback undoes it: RESTART creates new storage, and `setval` alone would ignore the transaction. */
export const setSequence = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, { name, value }: SequencePosition) {
  yield* sql`ALTER SEQUENCE ${sql.literal(quoted(name))} RESTART`
  if (value !== null) yield* sql`SELECT setval(${quoted(name)}::regclass, ${value}::bigint)`
})

/** The sealed values in a column; `null` for a column without them. */
const sealedIn = (column: string) => {
  if (column === "former_secrets") return `json_array_elements(${quoted(column)}) ->> 'sealed'`
  return column.startsWith("sealed_") || column === "secret" || column === "farewell" ? quoted(column) : null
}

/** Ids of the master keys that encrypt values. A sealed value starts with its version and the id of its key. */
export const readKeyIds = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, tables: ReadonlyArray<ArchivedTable>) {
  const parts = tables.flatMap(({ columns, name }) =>
    columns.flatMap((column) => {
      const sealed = sealedIn(column)
      return sealed === null ? [] : [`SELECT ${sealed} AS sealed FROM ${quoted(name)}`]
    })
  )
  const rows = yield* sql<{ readonly id: string }>`
    SELECT DISTINCT split_part(sealed, '.', 2) AS id FROM (${sql.literal(parts.join(" UNION ALL "))}) AS s
    WHERE sealed ~ '^v1[.][A-Za-z0-9_-]{1,32}[.]' ORDER BY id`
  return rows.map(({ id }) => id)
})
