import type { CopySource } from "@parley/pg-pipeline"
import { DateTime, Duration, Effect, Schedule, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { stamp } from "../kernel/columns.ts"
import { readRecords } from "../migrating/applied.ts"
import { applicationOf } from "../migrating/olderProcesses.ts"
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
    return `Processes use the database: ${this.processes.join(", ")}. Stop all processes of Parley first.`
  }
}

const seenWithin = Duration.seconds(60)

/** Name of the sessions of a restore. It differs from the names of other processes. */
export const restoreApplication = "parley restore"

/** The server ends the sessions of a stopped process a moment later. */
const untilSessionsEnd = { schedule: Schedule.spaced("200 millis"), times: 10 }

const hasTable = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, name: string) {
  const [row] = yield* sql<{ readonly found: boolean }>`SELECT to_regclass(${name}) IS NOT NULL AS found`
  return row?.found === true
})

const refuseWorkers = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  if (!(yield* hasTable(sql, "worker_processes"))) return
  const since = DateTime.subtractDuration(yield* DateTime.now, seenWithin)
  const running = yield* sql<{ readonly name: string }>`
    SELECT name FROM worker_processes WHERE last_seen_at > ${stamp(since)} ORDER BY name`
  if (running.length > 0) return yield* new DatabaseInUse({ processes: running.map(({ name }) => name) })
})

/** A process without workers has only sessions. */
const refuseSessions = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const sessions = yield* sql<{ readonly name: string }>`
    SELECT application_name || ' (pid ' || min(pid) || ')' AS name FROM pg_stat_activity
    WHERE datname = current_database() AND application_name LIKE ${applicationOf("%")} AND pid <> pg_backend_pid()
    GROUP BY application_name ORDER BY application_name`
  if (sessions.length > 0) return yield* new DatabaseInUse({ processes: sessions.map(({ name }) => name) })
})

const refuseProcesses = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  yield* refuseWorkers(sql)
  yield* Effect.retry(refuseSessions(sql), { ...untilSessionsEnd, while: ({ _tag }) => _tag === "DatabaseInUse" })
})

const refuseRows = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  for (const table of yield* readNames(sql)) {
    const [row] = yield* sql<{ readonly found: boolean }>`SELECT EXISTS (SELECT FROM ${sql(table)}) AS found`
    if (row?.found === true) return yield* new DatabaseNotEmpty({ table })
  }
})

/** What a restore does with existing rows. */
export interface Replacement {
  /** Deletes them. Otherwise they end the restore. */
  readonly replaces: boolean
}

/** Checks that a restore deletes nothing, and that no other process of Parley runs. The schema can be missing. */
export const checkTarget = Effect.fnUntraced(function* ({ replaces }: Replacement) {
  const sql = yield* SqlClient.SqlClient
  yield* refuseProcesses(sql)
  if (!replaces) yield* refuseRows(sql)
})

/** Schema of the database: applied migrations, and tables in the order of their foreign keys. */
export const readSchema = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { applied } = yield* readRecords
  return { migrations: applied.map(({ id, name }) => ({ id, name })), tables: yield* readTables(sql) }
})

/** Ends what belongs to the installation of the backup: logins. Sends that had started become in doubt when a worker finds them. */
const endSessions = (sql: SqlClient.SqlClient, now: DateTime.Utc) =>
  sql`UPDATE sessions SET revoked_at = ${stamp(now)} WHERE revoked_at IS NULL`

/** Origin of a restored database, and the treatment of its rows. */
export interface RestoredFrom extends Replacement {
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
    const tables = sql.literal(names.map(quoted).join(", "))
    const filling = Effect.gen(function* () {
      // A process that starts now waits for the hold. One that read no hold before has a session.
      yield* sql`LOCK TABLE installation_hold, worker_processes IN ACCESS EXCLUSIVE MODE`
      yield* refuseProcesses(sql)
      yield* sql`LOCK TABLE ${tables} IN ACCESS EXCLUSIVE MODE`
      if (!from.replaces) yield* refuseRows(sql)
      yield* sql`TRUNCATE ${tables}`
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
