import { layer } from "@parley/pg-pipeline"
import { Config, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, type SqlError } from "effect/sql"

const onServer = <A>(url: Redacted.Redacted, use: (sql: SqlClient.SqlClient) => Effect.Effect<A, SqlError.SqlError>) =>
  Effect.orDie(Effect.provide(Effect.flatMap(SqlClient.SqlClient, use), Layer.fresh(layer({ url, maxConnections: 1 }))))

/** An empty database on the test server, dropped when the scope ends. Returns its URL. */
export const freshDatabase = Effect.gen(function* () {
  const server = yield* Effect.orDie(Config.Redacted("PARLEY_TEST_DATABASE_URL"))
  const name = `parley_test_${SecureRandom.uuidV7Unsafe().replaceAll("-", "")}`
  yield* Effect.acquireRelease(
    onServer(server, (sql) => sql`CREATE DATABASE ${sql(name)}`),
    () => onServer(server, (sql) => sql`DROP DATABASE IF EXISTS ${sql(name)} WITH (FORCE)`)
  )
  const url = new URL(Redacted.value(server))
  url.pathname = `/${name}`
  return Redacted.make(url.href)
})
