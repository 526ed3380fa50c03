import { type DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { type Instant, utc } from "../kernel/columns.ts"
import type { Migration } from "../migrations/index.ts"
import { compareReleases, newestRelease } from "./releases.ts"

/** The schema of the database needs a newer release of the code. */
export class DatabaseNewerThanCode extends Schema.TaggedError<DatabaseNewerThanCode>()("DatabaseNewerThanCode", {
  /** Oldest release that runs on the schema. */
  database: Schema.String,
  /** Release of this code. */
  code: Schema.String
}) {
  override get message() {
    return `The schema of the database needs release ${this.database} of Parley or a newer one; this is ${this.code}. Install the release that migrated the database, or a newer one.`
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
  readonly phase: Migration["phase"]
  /** Release that applied the step; `null` in a database of a checkout before these records. */
  readonly release: string | null
  /** Oldest release that runs on the schema after the step. */
  readonly compatibleFrom: string | null
  readonly at: DateTime.Utc
}

/** Reads the applied steps. A missing table is an empty database, and earlier checkouts recorded fewer columns. */
export const readApplied = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [table] = yield* sql<{
    readonly exists: boolean
  }>`SELECT to_regclass('parley_migrations') IS NOT NULL AS exists`
  if (table?.exists !== true) return []
  const rows = yield* sql<Omit<AppliedMigration, "at"> & { readonly at: Instant }>`
    SELECT id, name, applied_at AS at, coalesce(to_jsonb(m) ->> 'phase', 'expand') AS phase,
      to_jsonb(m) ->> 'release' AS release, to_jsonb(m) ->> 'compatible_from' AS "compatibleFrom"
    FROM parley_migrations AS m ORDER BY id`
  return rows.map((row): AppliedMigration => ({ ...row, at: utc(row.at) }))
})

/** Why this release cannot use a database with these steps. A step under another name belongs to the series before the baselines. */
export const refusalOf = (
  steps: ReadonlyArray<Migration>,
  applied: ReadonlyArray<AppliedMigration>,
  release: string
): DatabaseRefusal | null => {
  const names = new Map(steps.map(({ id, name }) => [id, name]))
  if (applied.some(({ id, name }) => (names.get(id) ?? name) !== name)) {
    return new DatabaseBeforeBaselines({ database: applied.at(-1)?.id ?? 0 })
  }
  const needed = newestRelease(applied.flatMap(({ compatibleFrom }) => compatibleFrom ?? []))
  return needed !== null && compareReleases(needed, release) > 0
    ? new DatabaseNewerThanCode({ database: needed, code: release })
    : null
}

/** The steps that are not applied. A `contract` step can wait behind later steps. */
export const missing = (steps: ReadonlyArray<Migration>, applied: ReadonlyArray<AppliedMigration>) => {
  const ids = new Set(applied.map(({ id }) => id))
  return steps.filter(({ id }) => !ids.has(id))
}
