import { Database } from "@parley/postgres-adapter"
import { Effect, Random, Redacted } from "effect"
import { SqlClient } from "effect/sql"

const onServer = (url: Redacted.Redacted) => Effect.provide(Database.layer({ url, maxConnections: 1 }))

const named = (url: Redacted.Redacted, name: string) => {
  const address = new URL(Redacted.value(url))
  address.pathname = `/${name}`
  return Redacted.make(address.toString())
}

/** A new database on the server, which is dropped when the scope ends. */
export const make = Effect.fnUntraced(function* (serverUrl: Redacted.Redacted) {
  const name = `parley_bench_${yield* Random.nextIntBetween(0, 2 ** 48)}`
  const run = (statement: (sql: SqlClient.SqlClient) => Effect.Effect<unknown, unknown>) =>
    Effect.flatMap(SqlClient.SqlClient, statement).pipe(onServer(serverUrl), Effect.orDie)
  yield* Effect.acquireRelease(
    run((sql) => sql`CREATE DATABASE ${sql(name)}`),
    () => run((sql) => sql`DROP DATABASE IF EXISTS ${sql(name)} WITH (FORCE)`)
  )
  return named(serverUrl, name)
})
