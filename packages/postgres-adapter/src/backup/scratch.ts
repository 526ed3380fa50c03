import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import * as Database from "../Database.ts"
import { quoted } from "./catalog.ts"

/** Another database on the server of a URL. */
const inDatabase = (url: Redacted.Redacted, name: string) => {
  const other = new URL(Redacted.value(url))
  other.pathname = `/${name}`
  return Redacted.make(other.href)
}

/** Checks read whole tables, which can take hours. */
const statementTimeout = "7 days"

/** Runs with a new, empty database on the server of the client, and drops it afterwards. */
export const withScratchDatabase = <A, E, R>(use: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const client = yield* PgClient.PgClient
    const sql = yield* SqlClient.SqlClient
    const { url } = client.config
    if (url === undefined) return yield* Effect.die(new Error("The client of the database has no URL."))
    const name = `parley_verify_${SecureRandom.uuidV7Unsafe().replaceAll("-", "")}`
    yield* Effect.acquireRelease(sql`CREATE DATABASE ${sql.literal(quoted(name))}`, () =>
      Effect.ignore(sql`DROP DATABASE IF EXISTS ${sql.literal(quoted(name))} WITH (FORCE)`)
    )
    const database = Database.layer({ url: inDatabase(url, name), maxConnections: 2, statementTimeout })
    return yield* Effect.provide(use, Layer.fresh(database))
  }).pipe(Effect.scoped)
