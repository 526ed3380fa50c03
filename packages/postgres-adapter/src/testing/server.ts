import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { PgClient } from "@effect/sql-pg"
import { Config, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { Reactivity } from "effect/reactivity"
import type { SqlClient } from "effect/sql"
import * as Database from "../Database.ts"
import { advisoryKey } from "../kernel/advisoryKey.ts"
import { realTime } from "../kernel/realTime.ts"
import * as Migrations from "../Migrations.ts"
import { schemaFingerprint } from "./schemaFingerprint.ts"

const templates = "parley_template_"
const databases = "parley_test_"

const inDatabase = (server: Redacted.Redacted, name: string) => {
  const url = new URL(Redacted.value(server))
  url.pathname = `/${name}`
  return Redacted.make(url.href)
}

/** The server that tests make databases on. What runs them all has started one, or was given one. */
const server = Config.Redacted("PARLEY_TEST_DATABASE_URL")

const exists = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, name: string) {
  return (yield* sql`SELECT 1 FROM pg_database WHERE datname = ${name}`).length > 0
})

const dropOtherTemplates = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, name: string) {
  const others = yield* sql<{ readonly datname: string }>`
    SELECT datname FROM pg_database WHERE starts_with(datname, ${templates}) AND datname <> ${name}`
  yield* Effect.forEach(others, ({ datname }) => sql`DROP DATABASE IF EXISTS ${sql(datname)} WITH (FORCE)`, {
    discard: true
  })
})

/** A migrated database that every test database is a copy of. Of many test runs that lack it, one makes it. */
const template = Effect.fnUntraced(function* (server: Redacted.Redacted, sql: SqlClient.SqlClient) {
  const name = templates + (yield* schemaFingerprint)
  if (yield* exists(sql, name)) return name
  // A database is not made inside of a transaction, so another client holds the lock.
  const guard = yield* PgClient.make({ url: server, maxConnections: 1 })
  yield* guard.withTransaction(
    Effect.gen(function* () {
      yield* guard`SELECT 1 FROM pg_advisory_xact_lock(${advisoryKey(guard, "migrations", templates)})`
      if (yield* exists(sql, name)) return
      const draft = `${name}_draft`
      yield* dropOtherTemplates(sql, name)
      yield* sql`CREATE DATABASE ${sql(draft)}`
      yield* Effect.provide(Migrations.migrate, Database.layer({ url: inDatabase(server, draft), maxConnections: 1 }))
      yield* sql`ALTER DATABASE ${sql(draft)} RENAME TO ${sql(name)}`
    })
  )
  return name
})

/** Drops what runs that were killed have left behind. The names begin with the time they were made at, as UUIDv7 do. */
const dropAbandoned = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const abandoned = yield* sql<{ readonly datname: string }>`
    SELECT datname FROM pg_database AS d
    WHERE CASE WHEN datname ~ ${`^${databases}[0-9a-f]{32}$`}
        THEN ('x' || substr(datname, ${databases.length + 1}, 12))::bit(48)::bigint
          < extract(epoch FROM now() - interval '2 hours') * 1000 END
      AND NOT EXISTS (SELECT 1 FROM pg_stat_activity AS a WHERE a.datname = d.datname)`
  yield* Effect.forEach(abandoned, ({ datname }) => Effect.ignore(sql`DROP DATABASE IF EXISTS ${sql(datname)}`), {
    discard: true
  })
})

/** A new migrated database on the test server, dropped when the scope ends. Gives its URL. */
export const freshDatabase = Effect.gen(function* () {
  const at = yield* server
  const sql = yield* PgClient.make({ url: at, maxConnections: 1 })
  yield* dropAbandoned(sql)
  const name = `${databases}${SecureRandom.uuidV7Unsafe().replaceAll("-", "")}`
  const create = Effect.flatMap(template(at, sql), (from) =>
    Effect.asVoid(sql`CREATE DATABASE ${sql(name)} TEMPLATE ${sql(from)}`)
  )
  // Again, in case another run has just dropped the template as one of other migrations.
  yield* Effect.acquireRelease(Effect.retry(create, { times: 1 }), () =>
    Effect.orDie(sql`DROP DATABASE IF EXISTS ${sql(name)} WITH (FORCE)`)
  )
  return inDatabase(at, name)
}).pipe(Effect.provide([NodeFileSystem.layer, Reactivity.layer, realTime]), Effect.orDie)

/** A client of a new migrated database on the test server. */
export const layerServer: Layer.Layer<PgClient.PgClient | SqlClient.SqlClient> = Layer.unwrap(
  Effect.map(freshDatabase, (url) => Database.layer({ url }))
).pipe(Layer.orDie)
