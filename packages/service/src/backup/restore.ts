import { Backup, Migrations } from "@parley/postgres-adapter"
import { DateTime, Effect, Option } from "effect"
import { basename } from "node:path"
import { bringUpToDate, migrationStatus } from "../database.ts"
import { RestoreRefused } from "../Failure.ts"
import type { Settings } from "../readSettings.ts"
import { type ArchiveHeader, ArchiveUnusable } from "./Archive.ts"
import { requireKeys } from "./keys.ts"
import { checkArchive, openArchive, unusableFile } from "./readArchive.ts"

export const { restoreApplication } = Backup

const sameTables = (one: ArchiveHeader["tables"], other: ArchiveHeader["tables"]) => {
  const columns = new Map(other.map((table) => [table.name, table.columns.toSorted().join()]))
  return (
    one.length === other.length && one.every((table) => columns.get(table.name) === table.columns.toSorted().join())
  )
}

const named = (migrations: ArchiveHeader["migrations"]) => migrations.map(({ id, name }) => `${id} ${name}`)

const otherSchema = (file: string, { migrations, release }: ArchiveHeader) =>
  new ArchiveUnusable({
    file,
    problem: `it has the schema of release ${release} (migration ${named(migrations).at(-1) ?? "none"}), which this version (${Migrations.ownRelease}) does not create. Restore it with release ${release}, and then upgrade.`
  })

/** Checks that this release has the migrations of the archive. It changes nothing. */
const requireMigrations = Effect.fnUntraced(function* (file: string, header: ArchiveHeader) {
  const { applied, pending } = yield* migrationStatus
  const own = [...applied, ...pending].toSorted((one, other) => one.id - other.id)
  if (named(header.migrations).join() !== named(own).join()) return yield* otherSchema(file, header)
})

/** Migrates the database, and checks that it has the tables and the columns of the archive. */
export const prepareSchema = Effect.fnUntraced(function* (file: string, header: ArchiveHeader) {
  yield* requireMigrations(file, header)
  yield* bringUpToDate
  const { tables } = yield* Backup.readSchema
  if (!sameTables(header.tables, tables)) return yield* otherSchema(file, header)
})

/** Copies a checked archive into a migrated database, in one transaction. */
export const fillFrom = Effect.fnUntraced(function* (file: string, { replaces }: Backup.Replacement) {
  const archive = yield* openArchive(file)
  const { at, tables } = archive.header
  const snapshotAt = Option.getOrElse(DateTime.make(at), () => DateTime.makeUnsafe(0))
  const from = { file: basename(file), snapshotAt: DateTime.toUtc(snapshotAt), replaces }
  return yield* Backup.restoreInto(from, (into) =>
    Effect.gen(function* () {
      for (const [index, table] of tables.entries()) {
        yield* Effect.catchTag(into.copy(table, yield* archive.table(index)), "CopyInterrupted", ({ cause }) =>
          Effect.fail(unusableFile(file)(cause))
        )
      }
      for (const sequence of yield* archive.sequences) yield* into.setSequence(sequence)
      return yield* archive.end
    })
  )
}, Effect.scoped)

const refuse = ({ message }: Backup.DatabaseInUse | Backup.DatabaseNotEmpty) =>
  Effect.fail(new RestoreRefused({ message }))

/** Restores a backup into the configured database. Afterwards the installation is on hold. */
export const restore = Effect.fnUntraced(function* <E, R>(
  settings: Settings,
  file: string,
  { confirm, replaces }: Backup.Replacement & { readonly confirm: Effect.Effect<void, E, R> }
) {
  const { header } = yield* checkArchive(file)
  yield* requireKeys(settings, header.keys)
  yield* requireMigrations(file, header)
  yield* Effect.catchTag(Backup.checkTarget({ replaces }), ["DatabaseInUse", "DatabaseNotEmpty"], refuse)
  yield* confirm
  yield* prepareSchema(file, header)
  const members = yield* Effect.catchTag(fillFrom(file, { replaces }), ["DatabaseInUse", "DatabaseNotEmpty"], refuse)
  return { header, rows: members.reduce((sum, { rows }) => sum + (rows ?? 0), 0) }
})
