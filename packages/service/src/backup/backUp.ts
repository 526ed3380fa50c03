import { Backup, Migrations } from "@parley/postgres-adapter"
import { DateTime, Effect } from "effect"
import { requireSchema } from "../database.ts"
import type { Settings } from "../readSettings.ts"
import { archiveFormat, type ArchiveHeader, headerName, memberOf, sequencesName } from "./Archive.ts"
import { archivePath, notWritten, writeArchive } from "./archiveFile.ts"
import { keyChecks } from "./keys.ts"

/** A written backup. */
export interface WrittenBackup {
  readonly file: string
  readonly at: string
  readonly tables: number
  readonly rows: number
}

/** Writes a backup of the database to a file, or to a new file in a folder. */
export const backUp = Effect.fnUntraced(function* (settings: Settings, target: string) {
  yield* requireSchema
  const checks = yield* keyChecks(settings)
  const snapshot = yield* Backup.openSnapshot
  const at = DateTime.formatIso(snapshot.at)
  const file = yield* archivePath(target, at)
  const header: ArchiveHeader = {
    format: archiveFormat,
    release: Migrations.ownRelease,
    at,
    migrations: snapshot.migrations,
    keys: snapshot.keyIds.map((id) => ({ id, check: checks.get(id) ?? null })),
    tables: snapshot.tables
  }
  const write = (run: () => Promise<void>) => Effect.tryPromise({ try: run, catch: notWritten(file) })
  return yield* writeArchive(file, ({ withSpool, writer }) =>
    Effect.gen(function* () {
      yield* write(() => writer.addJson(headerName, header))
      let rows = 0
      for (const [index, table] of snapshot.tables.entries()) {
        rows += yield* withSpool((spool) =>
          Effect.gen(function* () {
            yield* Effect.catchTag(snapshot.copy(table, spool.append), "CopyInterrupted", ({ cause }) =>
              Effect.fail(notWritten(file)(cause))
            )
            yield* write(() => writer.add(memberOf(index, table.name), spool.bytes, spool.rows, spool.read()))
            return spool.rows
          })
        )
      }
      yield* write(() => writer.addJson(sequencesName, snapshot.sequences))
      return { file, at, tables: snapshot.tables.length, rows } satisfies WrittenBackup
    })
  )
}, Effect.scoped)
