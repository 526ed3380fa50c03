import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { TransactionalStep } from "../migrations/index.ts"

const strong = ["AccessExclusiveLock", "ShareLock", "ShareRowExclusiveLock", "ExclusiveLock"]

interface TableState {
  readonly name: string
  readonly file: string
  readonly hasRows: boolean
}

const readTables = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const tables = yield* sql<{ readonly name: string; readonly file: string }>`
    SELECT relname AS name, pg_relation_filenode(oid)::text AS file FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') ORDER BY relname`
  return yield* Effect.forEach(tables, ({ file, name }) =>
    Effect.map(
      sql<{ readonly hasRows: boolean }>`SELECT EXISTS (SELECT FROM ${sql(name)}) AS "hasRows"`,
      ([row]): TableState => ({ name, file, hasRows: row?.hasRows === true })
    )
  )
})

const readLocked = (sql: SqlClient.SqlClient) => sql<{ readonly name: string; readonly mode: string }>`
  SELECT c.relname AS name, min(l.mode) AS mode FROM pg_locks AS l JOIN pg_class AS c ON c.oid = l.relation
  WHERE l.pid = pg_backend_pid() AND l.mode = ANY(${strong}::text[]) GROUP BY c.relname ORDER BY c.relname`

/** Scans of this transaction. A scan of an empty table counts too. */
const readScanned = (sql: SqlClient.SqlClient) => sql<{ readonly name: string; readonly count: number }>`
  SELECT relname AS name, (seq_scan + coalesce(idx_scan, 0))::float8 AS count FROM pg_stat_xact_user_tables`

/**
 * Runs a step and rolls it back. Returns the rules that it breaks: a lock that blocks calls of a table with rows, a brief step that reads such a table, and
 * a rewrite of a table. `everyTable` treats every table as one with rows.
 */
export const brokenRules = Effect.fnUntraced(function* (step: TransactionalStep, { everyTable = false } = {}) {
  const sql = yield* SqlClient.SqlClient
  const broken: Array<string> = []
  const before = yield* readTables(sql)
  const rollBack = "The step is rolled back"
  yield* Effect.flip(
    sql.withTransaction(
      Effect.gen(function* () {
        const scansBefore = new Map((yield* readScanned(sql)).map(({ count, name }) => [name, count]))
        yield* step.run
        const locked = new Map((yield* readLocked(sql)).map(({ mode, name }) => [name, mode]))
        const scanned = new Set(
          (yield* readScanned(sql)).flatMap(({ count, name }) => (count > (scansBefore.get(name) ?? 0) ? name : []))
        )
        const files = new Map(
          (yield* sql<{ readonly name: string; readonly file: string }>`
            SELECT relname AS name, pg_relation_filenode(oid)::text AS file FROM pg_class
            WHERE relname = ANY(${before.map(({ name }) => name)}::text[])
              AND relnamespace = current_schema()::regnamespace`).map(({ file, name }) => [name, file])
        )
        for (const { file, hasRows, name } of before) {
          const mode = locked.get(name)
          if (files.has(name) && files.get(name) !== file) broken.push(`${name}: the step rewrites the table`)
          if (mode === undefined || !(hasRows || everyTable)) continue
          if (!step.brief) broken.push(`${name}: ${mode} blocks calls, and the step is not brief`)
          else if (scanned.has(name)) broken.push(`${name}: the brief step reads the table under ${mode}`)
          if (!step.tables.includes(name)) broken.push(`${name}: missing in the tables of the step`)
        }
        return yield* Effect.fail(rollBack)
      })
    )
  ).pipe(Effect.filterOrFail((error) => error === rollBack))
  return broken
})
