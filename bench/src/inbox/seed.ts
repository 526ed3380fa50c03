import { Database } from "@parley/postgres-adapter"
import { Console, Effect, Option, Redacted, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { SqlClient } from "effect/sql"
import { layerSeeding } from "../database/layerSeeding.ts"
import { seedInbox } from "./seedInbox.ts"

const usual = "postgres://postgres@127.0.0.1:5432/postgres"

const count = (name: string, maximum: number) =>
  Flag.Int(name).pipe(Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 2, maximum }))), Flag.optional)

const summary = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly conversations: number; readonly messages: number; readonly size: string }>`
    SELECT (SELECT count(*)::integer FROM conversations) AS conversations, (SELECT count(*)::integer FROM messages) AS messages,
      pg_size_pretty(pg_database_size(current_database())) AS size`
  yield* Console.log(`${row?.conversations} conversations with ${row?.messages} messages, ${row?.size} in all.`)
})

/** Makes a database of a large inbox and leaves it there, for benches that read it. */
export const seedInboxCommand = Command.make(
  "seed-inbox",
  {
    server: Flag.Redacted("database-url").pipe(
      Flag.withDescription("The PostgreSQL server to make the database on"),
      Flag.optional
    ),
    database: Flag.String("database").pipe(
      Flag.withDescription("The database to make; one of that name is dropped (parley_bench_inbox)"),
      Flag.withDefault("parley_bench_inbox")
    ),
    conversations: count("conversations", 4_000_000).pipe(
      Flag.withDescription("How many conversations, half of them in one organization (1000000)")
    ),
    messages: count("messages", 40_000_000).pipe(Flag.withDescription("How many messages, more or less (10000000)")),
    organizations: count("organizations", 2_000).pipe(
      Flag.withDescription("How many small organizations share the other half (200)")
    ),
    quick: Flag.Boolean("quick").pipe(
      Flag.withDescription("20,000 conversations, to see that it works"),
      Flag.withDefault(false)
    )
  },
  Effect.fnUntraced(function* ({ conversations, database, messages, organizations, quick, server }) {
    const given = Option.getOrElse(server, () => Redacted.make(usual))
    const size = <A>(value: Option.Option<A>, full: A, few: A) => Option.getOrElse(value, () => (quick ? few : full))
    const url = new URL(Redacted.value(given))
    url.pathname = `/${database}`
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`DROP DATABASE IF EXISTS ${sql(database)}`
      yield* sql`CREATE DATABASE ${sql(database)}`
    }).pipe(Effect.provide(Database.layer({ url: given, maxConnections: 1 })))
    yield* seedInbox({
      conversations: size(conversations, 1_000_000, 20_000),
      messages: size(messages, 10_000_000, 200_000),
      organizations: size(organizations, 200, 20)
    }).pipe(Effect.andThen(summary), Effect.provide(layerSeeding(Redacted.make(url.toString()))))
  })
).pipe(Command.withDescription("Fills a database with conversations and messages, half of them in one organization"))
