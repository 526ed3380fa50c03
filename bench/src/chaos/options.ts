import { Effect, Option, Random, Schema } from "effect"
import { Flag } from "effect/cli"
import { databaseServer, flags } from "../Options.ts"

const whole = (name: string, minimum: number, maximum: number) =>
  Flag.Int(name).pipe(Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum, maximum }))))

/** A number of things, with the number that there usually are. */
export const count = (name: string, usually: number, maximum: number, about: string) =>
  whole(name, 0, maximum).pipe(Flag.withDescription(`${about} (${usually})`), Flag.withDefault(usually))

const largestSeed = 2 ** 31 - 1

/** The flags that every run has. */
export const commonFlags = {
  databaseUrl: flags.databaseUrl,
  seed: whole("seed", 0, largestSeed).pipe(
    Flag.withDescription("What everything is drawn from, as an earlier run has printed it (another one each time)"),
    Flag.optional
  ),
  kills: count("kills", 6, 1_000, "How often the server is killed with SIGKILL"),
  cutEvery: count(
    "cut-every",
    2_000,
    3_600_000,
    "How many milliseconds at most lie between two connections to PostgreSQL that are cut off; 0 leaves all alone"
  ),
  deadline: count("deadline", 300, 86_400, "For how many seconds at most everything may take to come to rest")
}

type Given = {
  readonly [Name in keyof typeof commonFlags]: (typeof commonFlags)[Name] extends Flag.Flag<infer A> ? A : never
}

/** What these flags come to. */
export const commonOptions = Effect.fnUntraced(function* ({ cutEvery, databaseUrl, deadline, kills, seed }: Given) {
  return {
    databaseUrl: yield* databaseServer(databaseUrl),
    seed: Option.isSome(seed) ? seed.value : yield* Random.nextIntBetween(0, largestSeed),
    kills,
    cutEvery,
    deadlineMillis: deadline * 1_000
  }
})
