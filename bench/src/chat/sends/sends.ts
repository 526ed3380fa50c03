import { Console, Effect, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { SqlClient } from "effect/sql"
import * as Arena from "../../Arena.ts"
import { checkpoint } from "../../database/checkpoint.ts"
import { machineFacts } from "../../machine/facts.ts"
import { waitUntilIdle } from "../../machine/idle.ts"
import { flags, optionsOf } from "../../Options.ts"
import { median } from "../../report/median.ts"
import { printFacts } from "../../report/print.ts"
import { figure, table } from "../../report/table.ts"
import { writeReport } from "../../report/write.ts"
import { other, otherFlag, parley, rootOf } from "../../servers/contenders.ts"
import { connectLines, type Line, ownLine, type Provider, startProvider } from "../provider.ts"
import { atFullSpeed } from "./atFullSpeed.ts"
import { backlog } from "./backlog.ts"
import { makeLetters } from "./letters.ts"
import { rowsOf } from "./rows.ts"
import { steadily } from "./steadily.ts"
import { openTalks } from "./talks.ts"

const quietly = Effect.fnUntraced(function* () {
  const { options } = yield* Arena.Arena
  yield* checkpoint
  return yield* waitUntilIdle(options.idleMillis)
})

/**
 * Conversations of each number. WhatsApp allows one message in six seconds to a person on average, and Parley holds the others back, so too few
 * conversations would measure that limit.
 */
const customersEach = 500

/** Numbers of businesses with high limits: the pace of an account is not measured. */
const lift = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`UPDATE chat_accounts SET throughput_per_second = 1000`)

interface Contestant {
  readonly name: string
  readonly root?: string
}

const contestantsOf = (checkout: Option.Option<string>): ReadonlyArray<Contestant> => [
  { name: "parley" },
  ...Option.toArray(checkout).map((path) => ({ name: other, root: rootOf(path) }))
]

const run = Effect.fnUntraced(function* (
  provider: Provider,
  lines: ReadonlyArray<Line>,
  perSecond: number,
  checkout: Option.Option<string>
) {
  const { grounds, options } = yield* Arena.Arena
  const own = yield* connectLines(provider, lines)
  yield* lift
  const talks = yield* Effect.scoped(
    Effect.flatMap(parley(grounds), (server) => openTalks(provider, server, own, options.quick ? 5 : customersEach))
  )
  yield* Console.log(`${talks.length} conversations over ${own.length} numbers are open.`)
  const letters = makeLetters(provider, talks)

  const measure = Effect.fnUntraced(function* (round: number, contestant: Contestant) {
    // They share lanes, so only one runs at a time.
    const server = yield* parley(grounds, contestant)
    yield* steadily(provider, server, letters, perSecond, options.warmUpSeconds)
    yield* atFullSpeed(provider, server, letters, options.warmUpSeconds)
    const idleBefore = yield* quietly()
    const steady = yield* steadily(provider, server, letters, perSecond, options.seconds)
    yield* quietly()
    const full = yield* atFullSpeed(provider, server, letters, options.seconds)
    const alone = yield* backlog(provider, server, letters, own, options.seconds)
    yield* Console.log(
      `round ${round}  ${contestant.name}  to the provider ${figure(steady.p50)} ms, p99 ${figure(steady.p99)} ms; at full speed ${figure(full.sentPerSecond)}/s; sending alone ${figure(alone.perSecond)}/s, ${figure(alone.serverMicros)} us and ${figure(alone.databaseMicros)} us of PostgreSQL   idle before ${figure(100 * idleBefore)} %`
    )
    return { round, contestant: contestant.name, idleBefore, steady, full, alone }
  }, Effect.scoped)

  const contestants = contestantsOf(checkout)
  const numbers = Array.from({ length: options.rounds }, (_, index) => index + 1)
  const rounds = (yield* Effect.forEach(numbers, (round) =>
    Effect.forEach(contestants, (contestant) => measure(round, contestant))
  )).flat()
  const facts = yield* machineFacts
  yield* printFacts(facts)
  yield* Console.log(
    table(
      ["medians", ...contestants.map(({ name }) => name)],
      rowsOf(perSecond).map(({ decimals, name, of }) => [
        name,
        ...contestants.map(({ name }) =>
          figure(median(rounds.filter(({ contestant }) => contestant === name).map(of)), decimals)
        )
      ])
    )
  )
  yield* Console.log("\nEvery message was sent once, to its addressee, in the order of its conversation.")
  if (options.quick) return
  const { databaseUrl: _, ...settings } = options
  yield* writeReport("sends", { facts, settings: { ...settings, perSecond, numbers: own.length }, rounds })
})

const positive = (name: string, maximum: number) =>
  Flag.Int(name).pipe(Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum }))), Flag.optional)

/** Time of a message from the team to the provider, and the rate. */
export const sends = Command.make(
  "sends",
  {
    ...flags,
    ...otherFlag,
    perSecond: positive("per-second", 10_000).pipe(
      Flag.withDescription("How many messages are written a second where it is measured how long they take (20)")
    ),
    numbers: positive("numbers", 64).pipe(Flag.withDescription("Number of senders, one organization each (8)"))
  },
  Effect.fnUntraced(function* ({ numbers, other: checkout, perSecond, ...given }) {
    const places = Option.getOrElse(numbers, () => (given.quick ? 2 : 8))
    const options = { ...(yield* optionsOf(given)), rows: 640, organizations: places }
    const own = Array.from({ length: places }, (_, place) => ownLine(place))
    yield* Effect.gen(function* () {
      const provider = yield* startProvider(own)
      yield* run(
        provider,
        own,
        Option.getOrElse(perSecond, () => 20),
        checkout
      ).pipe(Effect.scoped, Effect.provide(Arena.layer(options, { chat: provider.chat, isUnlimited: true })))
    }).pipe(Effect.scoped)
  })
).pipe(Command.withDescription("How long a message takes to the provider, and how many are sent a second"))
