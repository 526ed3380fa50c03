import { Database } from "@parley/postgres-adapter"
import { Effect, Option, Redacted, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { SqlClient } from "effect/sql"
import { layerSeeding } from "../database/layerSeeding.ts"
import { seedContacts } from "./seedContacts.ts"

const count = (name: string, usual: number) =>
  Flag.Int(name).pipe(
    Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 20_000_000 }))),
    Flag.withDefault(usual)
  )

/** Makes a database of many contacts and leaves it there, for benches that read them. */
export const seedContactsCommand = Command.make(
  "seed-contacts",
  {
    server: Flag.Redacted("database-url").pipe(
      Flag.withDescription("The PostgreSQL server to make the database on"),
      Flag.optional
    ),
    database: Flag.String("database").pipe(Flag.withDefault("parley_bench_crm")),
    contacts: count("contacts", 10_000_000),
    organizations: count("organizations", 2_000)
  },
  Effect.fnUntraced(function* ({ contacts, database, organizations, server }) {
    const given = Option.getOrElse(server, () => Redacted.make("postgres://postgres@127.0.0.1:5432/postgres"))
    const url = new URL(Redacted.value(given))
    url.pathname = `/${database}`
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`DROP DATABASE IF EXISTS ${sql(database)}`
      yield* sql`CREATE DATABASE ${sql(database)}`
    }).pipe(Effect.provide(Database.layer({ url: given, maxConnections: 1 })))
    yield* seedContacts({ contacts, organizations }).pipe(Effect.provide(layerSeeding(Redacted.make(url.toString()))))
  })
).pipe(Command.withDescription("Fills a database with contacts: one large organization and many small ones"))
