import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import * as Arena from "../Arena.ts"
import { checkpoint } from "../database/checkpoint.ts"
import { machineFacts } from "../machine/facts.ts"
import { flags, optionsOf } from "../Options.ts"
import { printFacts } from "../report/print.ts"
import { figure } from "../report/table.ts"
import { writeReport } from "../report/write.ts"
import { fastify, parley } from "../servers/contenders.ts"
import { halfPeakOf, readAtHalf, summaryOf, summaryTable } from "./halfPeak.ts"

const most = 25

const run = Effect.gen(function* () {
  const { grounds, options } = yield* Arena.Arena
  const contestants = [
    yield* halfPeakOf("parley", yield* parley(grounds)),
    yield* halfPeakOf("fastify (tokens)", yield* fastify(grounds, "tokens"))
  ]
  const numbers = Array.from({ length: options.rounds }, (_, index) => index + 1)
  const rounds = (yield* Effect.forEach(numbers, (round) =>
    Effect.forEach(contestants, (contestant) =>
      Effect.andThen(checkpoint, readAtHalf(contestant, round, options.idleMillis))
    )
  )).flat()
  const facts = yield* machineFacts
  const summaries = contestants.map(({ name }) => summaryOf(name, rounds))
  yield* printFacts(facts)
  yield* Console.log(summaryTable(summaries))
  const p99 = summaries[0]?.p99 ?? Number.NaN
  yield* Console.log(`\np99 of Parley ${figure(p99, 2)} ms, at most ${most} ms: ${p99 <= most ? "reached" : "missed"}`)
  if (options.quick) return
  const { databaseUrl: _, ...settings } = options
  yield* writeReport("p3", { facts, settings, summaries, rounds })
})

/** P3: duration of reads at half of the server's peak. */
export const p3 = Command.make(
  "p3",
  flags,
  Effect.fnUntraced(function* (given) {
    yield* run.pipe(Effect.scoped, Effect.provide(Arena.layer(yield* optionsOf(given))))
  })
).pipe(Command.withDescription("How long an authenticated read takes at half of the server's own peak"))
