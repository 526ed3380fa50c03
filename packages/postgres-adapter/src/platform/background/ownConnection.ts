import { StorageTimeout, CurrentStorageTimeout } from "@parley/domain/kernel"
import { dedicatedSession } from "@parley/pg-pipeline"
import { PgClient } from "@effect/sql-pg"
import { Effect, Option, RcRef, type Scope } from "effect"
import { SqlClient, type SqlError } from "effect/sql"

/** Opens a dedicated session, if the client can. */
export type Opening = Effect.Effect<SqlClient.SqlClient, SqlError.SqlError, Scope.Scope>

export const openingOf = (client: PgClient.PgClient): Opening | null =>
  dedicatedSession in client ? (client[dedicatedSession] as Opening) : null

/** A statement that takes longer, in milliseconds, means that the connection or the server is lost. */
const patienceMillis = 3_000

/**
 * Runs statements over a dedicated connection without a queue. After a failure it opens another one. An embedded database has one connection for all.
 */
export const ownConnection = Effect.gen(function* () {
  const shared = yield* SqlClient.SqlClient
  const opening = Option.getOrNull(Option.map(yield* Effect.serviceOption(PgClient.PgClient), openingOf))
  if (opening === null) return <A, E, R>(use: (sql: SqlClient.SqlClient) => Effect.Effect<A, E, R>) => use(shared)
  const current = yield* RcRef.make({ acquire: opening, idleTimeToLive: "30 seconds" })
  return <A, E, R>(use: (sql: SqlClient.SqlClient) => Effect.Effect<A, E, R>) =>
    Effect.suspend(() =>
      RcRef.get(current).pipe(
        Effect.flatMap(use),
        Effect.onError(() => RcRef.invalidate(current)),
        Effect.scoped,
        Effect.provideService(CurrentStorageTimeout, new StorageTimeout(patienceMillis))
      )
    )
})
