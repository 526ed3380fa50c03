import type { CopySource } from "@parley/pg-pipeline"
import { DateTime, Duration, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { stamp } from "../kernel/columns.ts"
import { readApplied } from "../migrating/applied.ts"
import {
  type ArchivedTable,
  columnList,
  quoted,
  readNames,
  readTables,
  type SequencePosition,
  setSequence
} from "./catalog.ts"
import { placeHold } from "./hold.ts"
import { openCopySession } from "./session.ts"

/** The database contains data. */
export class DatabaseNotEmpty extends Schema.TaggedError<DatabaseNotEmpty>()("DatabaseNotEmpty", {
  table: Schema.String
}) {
  override get message() {
    return `The database is not empty: the table ${this.table} has rows. Restore into an empty database, or delete all data with --replace.`
  }
}

/** Processes still use the database. */
export class DatabaseInUse extends Schema.TaggedError<DatabaseInUse>()("DatabaseInUse", {
  processes: Schema.Array(Schema.String)
}) {
  override get message() {
    return `Workers use the database: ${this.processes.join(", ")}. Stop all processes of Parley first.`
  }
}

const seenWithin = Duration.seconds(60)

const hasTable = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, name: string) {
  const [row] = yield* sql<{ readonly found: boolean }>`SELECT to_regclass(${name}) IS NOT NULL AS found`
  return row?.found === true
})

/** Checks that a restore deletes nothing, and that no worker runs. The schema can be missing. */
export const checkTarget = Effect.fnUntraced(function* ({ replaces }: { readonly replaces: boolean }) {
  const sql = yield* SqlClient.SqlClient
  if (yield* hasTable(sql, "worker_processes")) {
    const since = DateTime.subtractDuration(yield* DateTime.now, seenWithin)
    const running = yield* sql<{ readonly name: string }>`
      SELECT name FROM worker_processes WHERE last_seen_at > ${stamp(since)} ORDER BY name`
    if (running.length > 0) return yield* new DatabaseInUse({ processes: running.map(({ name }) => name) })
  }
  if (replaces) return
  for (const table of yield* readNames(sql)) {
    const [row] = yield* sql<{ readonly found: boolean }>`SELECT EXISTS (SELECT FROM ${sql(table)}) AS found`
    if (row?.found === true) return yield* new DatabaseNotEmpty({ table })
  }
})

/** Schema of the database: applied migrations, and tables in the order of their foreign keys. */
export const readSchema = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const applied = yield* readApplied
  return { migrations: applied.map(({ id, name }) => ({ id, name })), tables: yield* readTables(sql) }
})

/** Ends what belongs to the installation of the backup: logins. Sends that had started become in doubt when a worker finds them. */
const endSessions = (sql: SqlClient.SqlClient, now: DateTime.Utc) =>
  sql`UPDATE sessions SET revoked_at = ${stamp(now)} WHERE revoked_at IS NULL`

/** Origin of a restored database. */
export interface RestoredFrom {
  readonly file: string
  readonly snapshotAt: DateTime.Utc
}

/**
 * Replaces all rows of the database in one transaction. Any failure of `fill` leaves the database as it was. Afterwards the installation is on hold.
 */
export const restoreInto = <A, E, R>(
  from: RestoredFrom,
  fill: (into: {
    readonly copy: (
      table: ArchivedTable,
      rows: CopySource
    ) => Effect.Effect<void, Effect.Error<ReturnType<Effect.Success<typeof openCopySession>["copyIn"]>>>
    readonly setSequence: (
      sequence: SequencePosition
    ) => Effect.Effect<unknown, Effect.Error<ReturnType<typeof setSequence>>>
  }) => Effect.Effect<A, E, R>
) =>
  Effect.gen(function* () {
    const { copyIn, sql } = yield* openCopySession
    const names = yield* readNames(sql)
    const filling = Effect.gen(function* () {
      yield* sql`TRUNCATE ${sql.literal(names.map(quoted).join(", "))}`
      const result = yield* fill({
        copy: (table, rows) => copyIn(`COPY ${quoted(table.name)} (${columnList(table)}) FROM STDIN`, rows),
        setSequence: (sequence) => setSequence(sql, sequence)
      })
      const now = yield* DateTime.now
      yield* endSessions(sql, now)
      yield* placeHold(sql, { ...from, since: now })
      return result
    })
    yield* sql`BEGIN`
    const result = yield* Effect.onError(filling, () => Effect.ignore(sql`ROLLBACK`))
    yield* sql`COMMIT`
    yield* sql`ANALYZE`
    return result
  }).pipe(Effect.scoped)
