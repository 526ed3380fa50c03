import type { PgConnection } from "@effect/sql-pg"
import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { CopySink, CopySocket, CopySource } from "./CopySocket.ts"
import { type Run, SessionConnection } from "./SessionConnection.ts"

/** A sink or a source of COPY failed. */
export class CopyInterrupted extends Error {
  readonly _tag = "CopyInterrupted"
}

/** A dedicated session with COPY. It has no deadline, because its statements move whole tables. */
export interface CopySession {
  readonly sql: SqlClient.SqlClient
  /** Runs `COPY … TO STDOUT`. */
  readonly copyOut: (statement: string, sink: CopySink) => Effect.Effect<void, SqlError.SqlError | CopyInterrupted>
  /** Runs `COPY … FROM STDIN`. */
  readonly copyIn: (statement: string, source: CopySource) => Effect.Effect<void, SqlError.SqlError | CopyInterrupted>
}

class CopyConnection extends SessionConnection {
  protected override send<A>(_statement: string, run: Run<A>): Run<A> {
    return run
  }
}

const settings = `SELECT set_config('statement_timeout', '0', false), set_config('idle_in_transaction_session_timeout', '0', false),
  set_config('lock_timeout', '0', false)`

export const makeCopySession = Effect.fnUntraced(function* (connection: PgConnection.PgConnection, socket: CopySocket) {
  yield* connection.query(settings, [], false)
  const sql = yield* SqlClient.make({
    acquirer: Effect.succeed(new CopyConnection(connection)),
    compiler: PgClient.makeCompiler(),
    driver: "pg",
    spanAttributes: [["db.system.name", "postgresql"]]
  })
  const run = Effect.fnUntraced(function* (
    statement: string,
    parts: { readonly sink?: CopySink; readonly source?: CopySource }
  ) {
    socket.divert(parts)
    const result = yield* Effect.result(connection.query(statement, [], false))
    yield* Effect.promise(() => socket.settled)
    const failure = socket.takeFailure()
    if (failure !== null) {
      return yield* Effect.fail(new CopyInterrupted("The copy was interrupted", { cause: failure.cause }))
    }
    yield* Effect.fromResult(result)
  })
  return {
    sql,
    copyOut: (statement, sink) => run(statement, { sink }),
    copyIn: (statement, source) => run(statement, { source })
  } satisfies CopySession
})
