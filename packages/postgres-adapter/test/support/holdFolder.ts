import { NodeRuntime } from "@effect/platform-node"
import { Embedded } from "@parley/postgres-adapter"
import { Console, Effect } from "effect"
import { SqlClient } from "effect/sql"

/** A process that uses the folder, commits a row, starts another row, reports this, and runs until it is stopped. */
const hold = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // With two concurrent processes, one process would find the other's table name half created.
  yield* sql.withTransaction(
    Effect.andThen(sql`SELECT pg_advisory_xact_lock(1)`, sql`CREATE TABLE IF NOT EXISTS notes (text text NOT NULL)`)
  )
  yield* sql`INSERT INTO notes VALUES ('committed')`
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`INSERT INTO notes VALUES ('not committed')`
      yield* Console.log("holding")
      return yield* Effect.never
    })
  )
})

NodeRuntime.runMain(Effect.provide(hold, Embedded.layer({ directory: process.argv[2] ?? "" })), {
  disableErrorReporting: true
})
