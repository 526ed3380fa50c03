import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import * as Arena from "../Arena.ts"
import { checkpoint } from "../database/checkpoint.ts"
import { constantRate } from "../load/constantRate.ts"
import { closedLoop } from "../load/closedLoop.ts"
import { goodLogins, guesses, randomReads } from "../load/requests.ts"
import { machineFacts } from "../machine/facts.ts"
import { waitUntilIdle } from "../machine/idle.ts"
import { flags, optionsOf } from "../Options.ts"
import { median } from "../report/median.ts"
import { printFacts } from "../report/print.ts"
import { figure, table } from "../report/table.ts"
import { writeReport } from "../report/write.ts"
import { parley } from "../servers/contenders.ts"

const readsPerSecond = 1_000
const guessesPerSecond = 500
const mostTimes = 2

const counted = (statuses: Readonly<Record<string, number>>) =>
  Object.entries(statuses)
    .map(([status, count]) => `${status}: ${count}`)
    .join(", ")

const round = Effect.fnUntraced(function* (url: string, number: number) {
  const { options, population } = yield* Arena.Arena
  const { connections, seconds } = options
  const reads = constantRate({
    url,
    perSecond: readsPerSecond,
    seconds,
    connections,
    request: randomReads(population)
  })
  const flood = constantRate({ url, perSecond: guessesPerSecond, seconds, connections: 128, request: guesses() })
  yield* checkpoint
  yield* waitUntilIdle(options.idleMillis)
  const calm = yield* reads
  yield* checkpoint
  yield* waitUntilIdle(options.idleMillis)
  const [flooded, guessed] = yield* Effect.all([reads, flood], { concurrency: 2 })
  yield* Console.log(
    `round ${number}  p99 of reads: calm ${figure(calm.p99, 2)} ms, flooded ${figure(flooded.p99, 2)} ms   guesses: ${counted(guessed.statuses)}, no answer: ${guessed.unanswered}`
  )
  return { round: number, calm, flooded, guessed, times: flooded.p99 / calm.p99 }
})

const run = Effect.gen(function* () {
  const { grounds, options, population } = yield* Arena.Arena
  const { url } = yield* parley(grounds, { trustedProxyHops: 1 })
  yield* constantRate({
    url,
    perSecond: readsPerSecond,
    seconds: options.warmUpSeconds,
    connections: options.connections,
    request: randomReads(population)
  })
  const numbers = Array.from({ length: options.rounds }, (_, index) => index + 1)
  const logins = yield* Effect.forEach(numbers, () =>
    closedLoop({ url, seconds: options.seconds, connections: 16, request: goodLogins(population) })
  )
  const loginsPerSecond = median(logins.map(({ perSecond }) => perSecond))
  yield* Console.log(`logins ${figure(loginsPerSecond)}/s (${counted(logins[0]?.statuses ?? {})})`)
  const rounds = yield* Effect.forEach(numbers, (number) => round(url, number))
  const facts = yield* machineFacts
  const middle = (values: (entry: (typeof rounds)[number]) => number) => median(rounds.map(values))
  const times = middle((entry) => entry.times)
  yield* printFacts(facts)
  yield* Console.log(`logins by 16 people at once: ${figure(loginsPerSecond)}/s\n`)
  yield* Console.log(
    table(
      [`${readsPerSecond} reads/s (medians)`, "p50 ms", "p99 ms", "p99.9 ms"],
      [
        [
          "calm",
          figure(
            middle(({ calm }) => calm.p50),
            2
          ),
          figure(
            middle(({ calm }) => calm.p99),
            2
          ),
          figure(
            middle(({ calm }) => calm.p999),
            2
          )
        ],
        [
          `beside ${guessesPerSecond} guesses/s`,
          figure(
            middle(({ flooded }) => flooded.p50),
            2
          ),
          figure(
            middle(({ flooded }) => flooded.p99),
            2
          ),
          figure(
            middle(({ flooded }) => flooded.p999),
            2
          )
        ]
      ]
    )
  )
  yield* Console.log(
    `\np99 rises ${figure(times, 2)} times, at most ${mostTimes} times: ${times <= mostTimes ? "reached" : "missed"}`
  )
  if (options.quick) return
  const { databaseUrl: _, ...settings } = options
  yield* writeReport("login", { facts, settings, loginsPerSecond, logins, rounds })
})

/** S8 under load: number of logins, and the effect of a flood of guesses on others. */
export const login = Command.make(
  "login",
  flags,
  Effect.fnUntraced(function* (given) {
    const options = yield* optionsOf(given)
    yield* run.pipe(Effect.scoped, Effect.provide(Arena.layer(options, { realPasswords: true })))
  })
).pipe(Command.withDescription("Measures logins, and reads during 500 password guesses per second"))
