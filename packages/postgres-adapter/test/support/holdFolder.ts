import { NodeRuntime } from "@effect/platform-node"
import { Embedded } from "@parley/postgres-adapter"
import { Console, Effect } from "effect"
import { SqlClient } from "effect/sql"

/** A process that uses the folder, commits a row, begins another, says so, and stays until it is told to end. */
const hold = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE IF NOT EXISTS notes (text text NOT NULL)`
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
