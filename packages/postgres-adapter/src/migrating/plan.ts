import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type Migration, migrations } from "../migrations/index.ts"
import { missing, readRecords, refusalOf } from "./applied.ts"
import { type Blocker, blockerColumns, described } from "./blockers.ts"
import { newestRelease, ownRelease } from "./releases.ts"

/** An existing table that a step changes. */
export interface PlannedTable {
  readonly name: string
  /** Number of rows by the statistics of PostgreSQL. */
  readonly rows: number
  readonly bytes: number
}

/** A missing step, with its expected effects. */
export interface PlannedStep {
  readonly id: number
  readonly name: string
  readonly phase: Migration["phase"]
  readonly transactional: boolean
  readonly tables: ReadonlyArray<PlannedTable>
  /** Strongest lock on these tables, with its effect on calls. */
  readonly lock: string
  readonly estimatedSeconds: number
  /** Transactions that the step would wait for now. */
  readonly blockers: ReadonlyArray<string>
  /** Oldest release that can run on the schema after the step. */
  readonly oldestRelease: string
}

/** Size of a table that an index build reads in a second, at least. */
const bytesPerSecond = 20_000_000

const tablesOf = (step: Migration) => (step.transactional ? step.tables : [step.index.table])

const lockOf = (step: Migration) =>
  step.transactional
    ? step.brief
      ? "ACCESS EXCLUSIVE for less than 50 ms"
      : "none that blocks calls"
    : "SHARE UPDATE EXCLUSIVE, which blocks no call"

const estimateOf = (step: Migration, tables: ReadonlyArray<PlannedTable>) =>
  step.transactional ? 1 : Math.max(1, Math.ceil(tables.reduce((sum, { bytes }) => sum + bytes, 0) / bytesPerSecond))

const readTables = (sql: SqlClient.SqlClient, names: ReadonlyArray<string>) => sql<PlannedTable>`
  SELECT relname AS name, greatest(reltuples, 0)::float8 AS rows, pg_total_relation_size(oid)::float8 AS bytes
  FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
    AND relname = ANY(${Array.from(names)}::text[]) ORDER BY relname`

/** A brief step waits for transactions with a lock on its tables, an index build for all that are open. */
const readOpen = (sql: SqlClient.SqlClient, step: Migration) => sql<Blocker>`
  SELECT ${blockerColumns(sql)} FROM pg_stat_activity AS b JOIN pg_stat_activity AS a ON a.pid = b.pid
  WHERE b.datname = current_database() AND b.pid <> pg_backend_pid() AND b.xact_start < clock_timestamp() - interval '1 second'
    AND (${!step.transactional} OR EXISTS (
      SELECT FROM pg_locks AS l WHERE l.pid = b.pid AND l.granted AND l.relation IN (
        SELECT oid FROM pg_class WHERE relnamespace = current_schema()::regnamespace
          AND relname = ANY(${Array.from(tablesOf(step))}::text[]))))
  ORDER BY b.pid`

/** Describes the missing steps, and changes nothing. */
export const planOf = Effect.fnUntraced(function* (steps: ReadonlyArray<Migration>, release = ownRelease) {
  const sql = yield* SqlClient.SqlClient
  const records = yield* readRecords
  const refusal = refusalOf(steps, records, release)
  if (refusal !== null) return yield* refusal
  const releases = records.oldestRelease === null ? [] : [records.oldestRelease]
  return yield* Effect.forEach(missing(steps, records.applied), (step) =>
    Effect.gen(function* () {
      releases.push(step.compatibleFrom)
      const tables = yield* readTables(sql, tablesOf(step))
      const { id, name, phase, transactional } = step
      return {
        id,
        name,
        phase,
        transactional,
        tables,
        lock: lockOf(step),
        estimatedSeconds: estimateOf(step, tables),
        blockers: (yield* readOpen(sql, step)).map(described),
        oldestRelease: newestRelease(releases) ?? step.compatibleFrom
      } satisfies PlannedStep
    })
  )
})

/** Describes the missing migrations, and changes nothing. */
export const plan = planOf(migrations)
