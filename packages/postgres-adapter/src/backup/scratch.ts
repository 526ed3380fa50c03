import { PgClient } from "@effect/sql-pg"
import { Clock, Duration, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, type SqlError } from "effect/sql"
import * as Database from "../Database.ts"
import { quoted } from "./catalog.ts"

/** Another database on the server of a URL. */
const inDatabase = (url: Redacted.Redacted, name: string) => {
  const other = new URL(Redacted.value(url))
  other.pathname = `/${name}`
  return Redacted.make(other.href)
}

const prefix = "parley_verify_"

/** The name has the time of the creation, because a UUID of version 7 starts with its milliseconds. */
const newName = () => `${prefix}${SecureRandom.uuidV7Unsafe().replaceAll("-", "")}`

const createdMillis = (name: string) => Number.parseInt(name.slice(prefix.length, prefix.length + 12), 16)

/** A younger database can belong to a process that does not have a connection yet. */
const abandonedAfter = Duration.hours(1)

const reported = (name: string) =>
  Effect.catch((error: SqlError.SqlError) =>
    Effect.logWarning(
      `The temporary database ${name} was not dropped. Drop it yourself: it has the data of a backup.`,
      error
    )
  )

/** Drops old databases of killed processes. They belong to this role and have no connections. */
const dropAbandoned = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const before = (yield* Clock.currentTimeMillis) - Duration.toMillis(abandonedAfter)
  const found = yield* sql<{ readonly name: string }>`
    SELECT datname::text AS name FROM pg_database AS d
    WHERE datname ~ ${`^${prefix}[0-9a-f]{32}$`} AND datdba = (SELECT oid FROM pg_roles WHERE rolname = current_user)
      AND NOT EXISTS (SELECT FROM pg_stat_activity AS a WHERE a.datid = d.oid)
    ORDER BY datname`
  for (const { name } of found.filter(({ name }) => createdMillis(name) < before)) {
    yield* sql`DROP DATABASE IF EXISTS ${sql.literal(quoted(name))}`.pipe(reported(name))
  }
})

/** Checks read whole tables, which can take hours. */
const statementTimeout = "7 days"

/** Runs with a new, empty database on the server of the client, and drops it afterwards. Databases of killed processes are dropped first. */
export const withScratchDatabase = <A, E, R>(use: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const client = yield* PgClient.PgClient
    const sql = yield* SqlClient.SqlClient
    const { url } = client.config
    if (url === undefined) return yield* Effect.die(new Error("The client of the database has no URL."))
    yield* dropAbandoned(sql)
    const name = newName()
    yield* Effect.acquireRelease(sql`CREATE DATABASE ${sql.literal(quoted(name))}`, () =>
      sql`DROP DATABASE IF EXISTS ${sql.literal(quoted(name))} WITH (FORCE)`.pipe(reported(name))
    )
    const database = Database.layer({ url: inDatabase(url, name), maxConnections: 2, statementTimeout })
    return yield* Effect.provide(use, Layer.fresh(database))
  }).pipe(Effect.scoped)
