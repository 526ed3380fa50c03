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

/** The database has the baselines of a checkout before release 0.2.0. They lack later columns. */
export class DatabaseOfEarlierCheckout extends Schema.TaggedError<DatabaseOfEarlierCheckout>()(
  "DatabaseOfEarlierCheckout",
  {}
) {
  override get message() {
    return `The database was created by a checkout before release 0.2.0 and lacks columns that this version needs. This version cannot migrate it. Use the checkout that created it to export data, and start with a new database. See "Databases before release 0.2.0" in docs/operations/upgrade.md.`
  }
}

/** Reason why this version cannot use the database. */
export type DatabaseRefusal = DatabaseBeforeBaselines | DatabaseNewerThanCode | DatabaseOfEarlierCheckout

export interface AppliedMigration {
  readonly id: number
  readonly name: string
  readonly phase: Migration["phase"]
  /** Release that applied the step; `null` in a database of an earlier checkout. */
  readonly release: string | null
  /** Oldest release that runs on the schema after the step. */
  readonly compatibleFrom: string | null
  readonly at: DateTime.Utc
}

/** What a database records about its steps. */
export interface MigrationRecords {
  readonly applied: ReadonlyArray<AppliedMigration>
  /** Oldest release that runs on the schema, also after announced steps; `null` without steps. */
  readonly oldestRelease: string | null
  /** Whether an earlier checkout created the records. */
  readonly isOfEarlierCheckout: boolean
}

/** Reads the records. A missing table is an empty database. Earlier checkouts recorded fewer columns. */
export const readRecords = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [table] = yield* sql<{ readonly exists: boolean; readonly isCurrent: boolean }>`
    SELECT to_regclass('parley_migrations') IS NOT NULL AS exists, EXISTS (
      SELECT FROM pg_attribute WHERE attrelid = to_regclass('parley_migrations') AND attname = 'started_at'
    ) AS "isCurrent"`
  if (table?.exists !== true) {
    return { applied: [], oldestRelease: null, isOfEarlierCheckout: false } satisfies MigrationRecords
  }
  const rows = yield* sql<Omit<AppliedMigration, "at"> & { readonly at: Instant | null }>`
    SELECT id, name, applied_at AS at, coalesce(to_jsonb(m) ->> 'phase', 'expand') AS phase,
      to_jsonb(m) ->> 'release' AS release, to_jsonb(m) ->> 'compatible_from' AS "compatibleFrom"
    FROM parley_migrations AS m ORDER BY id`
  return {
    applied: rows.flatMap(({ at, ...row }): ReadonlyArray<AppliedMigration> =>
      at === null ? [] : [{ ...row, at: utc(at) }]
    ),
    oldestRelease: newestRelease(rows.flatMap(({ compatibleFrom }) => compatibleFrom ?? [])),
    isOfEarlierCheckout: !table.isCurrent
  } satisfies MigrationRecords
})

/** Why this release cannot use a database with these records. A step under another name belongs to the series before the baselines. */
export const refusalOf = (
  steps: ReadonlyArray<Migration>,
  { applied, isOfEarlierCheckout, oldestRelease }: MigrationRecords,
  release: string
): DatabaseRefusal | null => {
  const names = new Map(steps.map(({ id, name }) => [id, name]))
  if (applied.some(({ id, name }) => (names.get(id) ?? name) !== name)) {
    return new DatabaseBeforeBaselines({ database: applied.at(-1)?.id ?? 0 })
  }
  if (isOfEarlierCheckout) return new DatabaseOfEarlierCheckout()
  return oldestRelease !== null && compareReleases(oldestRelease, release) > 0
    ? new DatabaseNewerThanCode({ database: oldestRelease, code: release })
    : null
}

/** The steps that are not applied. A `contract` step can wait behind later steps. */
export const missing = (steps: ReadonlyArray<Migration>, applied: ReadonlyArray<AppliedMigration>) => {
  const ids = new Set(applied.map(({ id }) => id))
  return steps.filter(({ id }) => !ids.has(id))
}
