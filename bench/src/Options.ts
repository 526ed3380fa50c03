import { Config, Effect, Option, Redacted, Schema } from "effect"
import { Flag } from "effect/cli"

const usual = Redacted.make("postgres://postgres@127.0.0.1:5432/postgres")

const count = (name: string, maximum: number) =>
  Flag.Int(name).pipe(Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum }))), Flag.optional)

/** The flags that every bench has. */
export const flags = {
  databaseUrl: Flag.Redacted("database-url").pipe(
    Flag.withDescription("A PostgreSQL server on this machine for the database of the bench"),
    Flag.optional
  ),
  rounds: count("rounds", 100).pipe(Flag.withDescription("How often each contestant is measured (5)")),
  seconds: count("seconds", 600).pipe(Flag.withDescription("How long each round takes (10)")),
  connections: count("connections", 1_000).pipe(Flag.withDescription("Number of concurrent connections (64)")),
  poolSize: count("pool-size", 90).pipe(
    Flag.withDescription("How many connections each server has to PostgreSQL (10)")
  ),
  rows: count("rows", 500_000).pipe(Flag.withDescription("How many automations there are to read (100000)")),
  idleWait: Flag.Int("idle-wait").pipe(
    Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 600 }))),
    Flag.withDescription("For how many seconds at most a round waits for the machine to be idle (30)"),
    Flag.optional
  ),
  quick: Flag.Boolean("quick").pipe(
    Flag.withDescription("A few seconds in all, to see that it works: its figures mean nothing"),
    Flag.withDefault(false)
  )
}

/** The database cannot be used for a bench. */
export class DatabaseElsewhere extends Schema.TaggedError<DatabaseElsewhere>()("DatabaseElsewhere", {
  host: Schema.String
}) {
  override get message() {
    return `A bench loads its database with all it has, so it uses one on this machine only, not ${this.host}.`
  }
}

const loopback = new Set(["127.0.0.1", "localhost", "[::1]"])

type Given = { readonly [Name in keyof typeof flags]: (typeof flags)[Name] extends Flag.Flag<infer A> ? A : never }

/** The PostgreSQL server that is used: on this machine only. */
export const databaseServer = Effect.fnUntraced(function* (given: Option.Option<Redacted.Redacted>) {
  const configured = yield* Config.option(Config.Redacted("PARLEY_TEST_DATABASE_URL"))
  const url = Option.getOrElse(
    Option.orElse(given, () => configured),
    () => usual
  )
  const { hostname } = new URL(Redacted.value(url))
  return loopback.has(hostname) ? url : yield* new DatabaseElsewhere({ host: hostname })
})

/** Values of the flags. */
export const optionsOf = Effect.fnUntraced(function* (given: Given) {
  const databaseUrl = yield* databaseServer(given.databaseUrl)
  const size = <A>(value: Option.Option<A>, full: A, quick: A) =>
    Option.getOrElse(value, () => (given.quick ? quick : full))
  return {
    databaseUrl,
    rounds: size(given.rounds, 5, 2),
    seconds: size(given.seconds, 10, 1),
    connections: size(given.connections, 64, 8),
    poolSize: size(given.poolSize, 10, 4),
    rows: size(given.rows, 100_000, 2_000),
    organizations: given.quick ? 8 : 64,
    sessionsEach: 4,
    warmUpSeconds: given.quick ? 1 : 5,
    idleMillis: size(given.idleWait, 30, 0) * 1_000,
    quick: given.quick
  }
})

export type Options = Effect.Success<ReturnType<typeof optionsOf>>
