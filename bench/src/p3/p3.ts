import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import * as Arena from "../Arena.ts"
import { checkpoint } from "../database/checkpoint.ts"
import { type ConstantRate, constantRate } from "../load/constantRate.ts"
import { readsByWrk } from "../load/readsByWrk.ts"
import { randomReads } from "../load/requests.ts"
import { machineFacts } from "../machine/facts.ts"
import { waitUntilIdle } from "../machine/idle.ts"
import { flags, optionsOf } from "../Options.ts"
import { median } from "../report/median.ts"
import { printFacts } from "../report/print.ts"
import { figure, table } from "../report/table.ts"
import { writeReport } from "../report/write.ts"
import { fastify, parley } from "../servers/contenders.ts"
import type { RunningServer } from "../servers/launch.ts"

const most = 25

const peakOf = Effect.fnUntraced(function* (name: string, server: RunningServer) {
  const { options } = yield* Arena.Arena
  const contestant = (yield* readsByWrk)(name, server)
  yield* contestant.run(options.warmUpSeconds, 0)
  const peaks = yield* Effect.forEach([1, 2, 3], (seed) => contestant.run(options.seconds, seed))
  const peak = median(peaks.map(({ perSecond }) => perSecond))
  yield* Console.log(`${name.padEnd(20)} peak ${Math.round(peak)}/s`)
  return { name, server, rate: Math.floor(peak / 2) }
})

interface Measured extends ConstantRate {
  readonly contestant: string
  readonly round: number
  readonly rate: number
  readonly idleBefore: number
}

const measure = Effect.fnUntraced(function* (
  { name, rate, server }: Effect.Success<ReturnType<typeof peakOf>>,
  round: number
) {
  const { options, population } = yield* Arena.Arena
  yield* checkpoint
  const idleBefore = yield* waitUntilIdle(options.idleMillis)
  const result = yield* constantRate({
    url: server.url,
    perSecond: rate,
    seconds: options.seconds,
    connections: options.connections,
    request: randomReads(population)
  })
  yield* Console.log(
    `round ${round}  ${name.padEnd(20)} ${rate}/s  p50 ${figure(result.p50, 2)}  p99 ${figure(result.p99, 2)}  p99.9 ${figure(result.p999, 2)} ms   idle before ${Math.round(idleBefore * 100)} %`
  )
  const measured: Measured = { ...result, contestant: name, round, rate, idleBefore }
  return measured
})

const summaryOf = (contestant: string, all: ReadonlyArray<Measured>) => {
  const own = all.filter((measured) => measured.contestant === contestant)
  const middle = (key: "p50" | "p99" | "p999" | "lateP99" | "rate") => median(own.map((measured) => measured[key]))
  return {
    contestant,
    rate: middle("rate"),
    p50: middle("p50"),
    p99: middle("p99"),
    p999: middle("p999"),
    lateP99: middle("lateP99"),
    unanswered: own.reduce((sum, { unanswered }) => sum + unanswered, 0),
    refused: own.reduce((sum, { sent, statuses, unanswered }) => sum + sent - unanswered - (statuses[200] ?? 0), 0)
  }
}

const run = Effect.gen(function* () {
  const { grounds, options } = yield* Arena.Arena
  const contestants = [
    yield* peakOf("parley", yield* parley(grounds)),
    yield* peakOf("fastify (tokens)", yield* fastify(grounds, "tokens"))
  ]
  const numbers = Array.from({ length: options.rounds }, (_, index) => index + 1)
  const rounds = (yield* Effect.forEach(numbers, (round) =>
    Effect.forEach(contestants, (contestant) => measure(contestant, round))
  )).flat()
  const facts = yield* machineFacts
  const summaries = contestants.map(({ name }) => summaryOf(name, rounds))
  yield* printFacts(facts)
  yield* Console.log(
    table(
      [
        "half of own peak (medians)",
        "per s",
        "p50 ms",
        "p99 ms",
        "p99.9 ms",
        "generator late p99 ms",
        "refused",
        "lost"
      ],
      summaries.map((summary) => [
        summary.contestant,
        figure(summary.rate),
        figure(summary.p50, 2),
        figure(summary.p99, 2),
        figure(summary.p999, 2),
        figure(summary.lateP99, 2),
        figure(summary.refused),
        figure(summary.unanswered)
      ])
    )
  )
  const p99 = summaries[0]?.p99 ?? Number.NaN
  yield* Console.log(`\np99 of Parley ${figure(p99, 2)} ms, at most ${most} ms: ${p99 <= most ? "reached" : "missed"}`)
  if (options.quick) return
  const { databaseUrl: _, ...settings } = options
  yield* writeReport("p3", { facts, settings, summaries, rounds })
})

/** P3: how long reads take at half of what the server can do. */
export const p3 = Command.make(
  "p3",
  flags,
  Effect.fnUntraced(function* (given) {
    yield* run.pipe(Effect.scoped, Effect.provide(Arena.layer(yield* optionsOf(given))))
  })
).pipe(Command.withDescription("How long an authenticated read takes at half of the server's own peak"))
