import { Effect, Option, Random, Schema } from "effect"
import { Flag } from "effect/cli"
import { databaseServer, flags } from "../Options.ts"
import { findPrograms } from "./postgres/programs.ts"

const whole = (name: string, minimum: number, maximum: number) =>
  Flag.Int(name).pipe(Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum, maximum }))))

/** A number of things, with the number that there usually are. */
export const count = (name: string, usually: number, maximum: number, about: string) =>
  whole(name, 0, maximum).pipe(Flag.withDescription(`${about} (${usually})`), Flag.withDefault(usually))

const largestSeed = 2 ** 31 - 1

const seedFlag = whole("seed", 0, largestSeed).pipe(
  Flag.withDescription("What everything is drawn from, as an earlier run has printed it (another one each time)"),
  Flag.optional
)

const seedOf = (seed: Option.Option<number>) =>
  Option.isSome(seed) ? Effect.succeed(seed.value) : Random.nextIntBetween(0, largestSeed)

/** The flags of the runs that kill the service. */
export const commonFlags = {
  databaseUrl: flags.databaseUrl,
  seed: seedFlag,
  kills: count("kills", 6, 1_000, "How often the server is killed with SIGKILL"),
  cutEvery: count(
    "cut-every",
    2_000,
    3_600_000,
    "How many milliseconds at most lie between two connections to PostgreSQL that are cut off; 0 leaves all alone"
  ),
  deadline: count("deadline", 300, 86_400, "Maximum time until all work is done, in seconds")
}

type Given = {
  readonly [Name in keyof typeof commonFlags]: (typeof commonFlags)[Name] extends Flag.Flag<infer A> ? A : never
}

/** Values of these flags. */
export const commonOptions = Effect.fnUntraced(function* ({ cutEvery, databaseUrl, deadline, kills, seed }: Given) {
  return {
    databaseUrl: yield* databaseServer(databaseUrl),
    seed: yield* seedOf(seed),
    kills,
    cutEvery,
    deadlineMillis: deadline * 1_000
  }
})

/** Flags of the runs that start their own PostgreSQL servers, because the runs damage them. */
export const ownServerFlags = {
  postgresBin: Flag.String("postgres-bin").pipe(
    Flag.withDescription("Folder with initdb and pg_ctl (the newest PostgreSQL in /usr/lib/postgresql)"),
    Flag.optional
  ),
  seed: seedFlag
}

interface GivenForOwnServer {
  readonly postgresBin: Option.Option<string>
  readonly seed: Option.Option<number>
}

/** Values of these flags. */
export const ownServerOptions = Effect.fnUntraced(function* ({ postgresBin, seed }: GivenForOwnServer) {
  return {
    programs: Option.isSome(postgresBin) ? postgresBin.value : yield* findPrograms,
    seed: yield* seedOf(seed)
  }
})
