import { StorageTimeout, CurrentStorageTimeout } from "@parley/domain/kernel"
import { DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { advisoryKey } from "./kernel/advisoryKey.ts"
import { type Instant, stamp, utc } from "./kernel/columns.ts"
import { type Migration, migrations } from "./migrations/index.ts"

/** The database has migrations that this version of the code does not contain. */
export class DatabaseNewerThanCode extends Schema.TaggedError<DatabaseNewerThanCode>()("DatabaseNewerThanCode", {
  database: Schema.Int,
  code: Schema.Int
}) {
  override get message() {
    return `The database is at migration ${this.database}; this version of Parley knows migrations up to ${this.code}. Install the version that migrated the database, or a newer one.`
  }
}

/** The database has the migrations that the baselines of release 0.2.0 replace. */
export class DatabaseBeforeBaselines extends Schema.TaggedError<DatabaseBeforeBaselines>()("DatabaseBeforeBaselines", {
  database: Schema.Int
}) {
  override get message() {
    return `The database was created before the baselines of release 0.2.0 (migrations 1 to 85) and is at migration ${this.database}. This version cannot migrate it. Use the checkout that created it to export data, and start with a new database. See "Databases before release 0.2.0" in docs/operations/upgrade.md.`
  }
}

/** Reason why this version cannot use the database. */
export type DatabaseRefusal = DatabaseBeforeBaselines | DatabaseNewerThanCode

export interface AppliedMigration {
  readonly id: number
  readonly name: string
  readonly at: DateTime.Utc
}

const newest = (steps: ReadonlyArray<{ readonly id: number }>) => steps.at(-1)?.id ?? 0

const readApplied = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [table] = yield* sql<{
    readonly exists: boolean
  }>`SELECT to_regclass('parley_migrations') IS NOT NULL AS exists`
  if (table?.exists !== true) return []
  const rows = yield* sql<{ readonly id: number; readonly name: string; readonly at: Instant }>`
    SELECT id, name, applied_at AS at FROM parley_migrations ORDER BY id`
  return rows.map((row): AppliedMigration => ({ id: row.id, name: row.name, at: utc(row.at) }))
})

/** A step under another name belongs to the series before the baselines. */
const refusalOf = (
  steps: ReadonlyArray<Migration>,
  applied: ReadonlyArray<AppliedMigration>
): DatabaseRefusal | null => {
  const names = new Map(steps.map(({ id, name }) => [id, name]))
  if (applied.some(({ id, name }) => (names.get(id) ?? name) !== name)) {
    return new DatabaseBeforeBaselines({ database: newest(applied) })
  }
  return newest(applied) > newest(steps)
    ? new DatabaseNewerThanCode({ database: newest(applied), code: newest(steps) })
    : null
}

const missing = (steps: ReadonlyArray<Migration>, applied: ReadonlyArray<AppliedMigration>) =>
  steps.filter(({ id }) => id > newest(applied))

/** Applied and missing migrations of the database. None is missing if this version cannot use the database. */
export const status = Effect.map(readApplied, (applied) => {
  const refusal = refusalOf(migrations, applied)
  const pending = refusal === null ? missing(migrations, applied) : []
  return { applied, pending: pending.map(({ id, name }) => ({ id, name })), refusal }
})

/** Applies the missing steps in one transaction. Of many nodes that start together, one applies them. */
export const apply = Effect.fnUntraced(
  function* (steps: ReadonlyArray<Migration>) {
    const sql = yield* SqlClient.SqlClient
    return yield* sql.withTransaction(
      Effect.gen(function* () {
        yield* sql`SET LOCAL statement_timeout = 0`
        yield* sql`SELECT 1 FROM pg_advisory_xact_lock(${advisoryKey(sql, "migrations")})`
        const applied = yield* readApplied
        const refusal = refusalOf(steps, applied)
        if (refusal !== null) return yield* refusal
        if (applied.length === 0) {
          yield* sql`CREATE TABLE IF NOT EXISTS parley_migrations (
          id integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL)`
        }
        const pending = missing(steps, applied)
        yield* Effect.forEach(
          pending,
          Effect.fnUntraced(function* ({ id, name, run }) {
            yield* run
            yield* sql`INSERT INTO parley_migrations (id, name, applied_at)
            VALUES (${id}, ${name}, ${stamp(yield* DateTime.now)})`
          }),
          { discard: true }
        )
        return pending.map(({ id, name }) => ({ id, name }))
      })
    )
  },
  Effect.provideService(CurrentStorageTimeout, new StorageTimeout(Number.POSITIVE_INFINITY))
)

/** Applies the missing migrations and returns them. */
export const migrate = apply(migrations)

/** Migrates the database before dependent layers start. */
export const layer = Layer.effectDiscard(migrate)
