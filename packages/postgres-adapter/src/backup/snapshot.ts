import type { CopySink } from "@parley/pg-pipeline"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type Instant, utc } from "../kernel/columns.ts"
import { readApplied } from "../migrating/applied.ts"
import { columnList, quoted, readKeyIds, readNames, readSequences, readTables, type ArchivedTable } from "./catalog.ts"
import { openCopySession } from "./session.ts"

/**
 * A snapshot of the database: the state that was committed at one moment. A service can run next to it. It holds locks that only changes of the schema
 * wait for, and it delays vacuum.
 */
export const openSnapshot = Effect.gen(function* () {
  const { copyOut, sql } = yield* openCopySession
  const names = yield* readNames(sql)
  yield* sql`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`
  yield* Effect.addFinalizer(() => Effect.ignore(sql`ROLLBACK`))
  // The locks come before the snapshot, because a change of the schema that commits between both would break it.
  if (names.length > 0) yield* sql`LOCK TABLE ${sql.literal(names.map(quoted).join(", "))} IN ACCESS SHARE MODE`
  const [clock] = yield* sql<{ readonly at: Instant }>`SELECT statement_timestamp() AS at`
  const tables = yield* readTables(sql)
  const applied = yield* Effect.provideService(readApplied, SqlClient.SqlClient, sql)
  return {
    at: clock === undefined ? yield* DateTime.now : utc(clock.at),
    migrations: applied.map(({ id, name }) => ({ id, name })),
    tables,
    keyIds: yield* readKeyIds(sql, tables),
    sequences: yield* readSequences(sql),
    /** Sends the rows of a table as text of COPY. */
    copy: (table: ArchivedTable, sink: CopySink) =>
      copyOut(`COPY (SELECT ${columnList(table)} FROM ${quoted(table.name)}) TO STDOUT`, sink)
  }
})

export type Snapshot = Effect.Success<typeof openSnapshot>
