import { Console, Effect } from "effect"
import { Arena } from "./Arena.ts"
import type { Contestant, Outcome } from "./Contestant.ts"
import { checkpoint } from "./database/checkpoint.ts"
import { backends } from "./machine/backends.ts"
import { waitUntilIdle } from "./machine/idle.ts"
import { cpuSecondsBetween, type ProcessUse, usesOf } from "./machine/ProcessUse.ts"

/** One round of one contestant. */
export interface Round extends Outcome {
  readonly contestant: string
  readonly round: number
  /** How idle the machine was in the second before. */
  readonly idleBefore: number
  /** CPU of an answer in the serving processes and in PostgreSQL, in microseconds. */
  readonly serverMicros: number | null
  readonly databaseMicros: number | null
  readonly residentMiB: number | null
}

const microsEach = (seconds: number, outcome: Outcome) =>
  outcome.load === null || outcome.load.requests === 0 ? null : (seconds * 1e6) / outcome.load.requests

const residentMiBOf = (uses: ReadonlyMap<number, ProcessUse>) =>
  Math.round(Array.from(uses.values()).reduce((sum, { residentBytes }) => sum + residentBytes, 0) / 2 ** 20)

const measure = Effect.fnUntraced(function* <E, R>(contestant: Contestant<E, R>, round: number) {
  const { options } = yield* Arena
  yield* checkpoint
  const idleBefore = yield* waitUntilIdle(options.idleMillis)
  const { pids } = contestant
  const serving = usesOf(pids)
  const asked = Effect.flatMap(backends, usesOf)
  const serverBefore = yield* serving
  const databaseBefore = yield* asked
  const outcome = yield* contestant.run(options.seconds, round)
  const server = yield* serving
  const database = yield* asked
  const isDirect = pids.length === 0
  const result: Round = {
    ...outcome,
    contestant: contestant.name,
    round,
    idleBefore,
    serverMicros: isDirect ? null : microsEach(cpuSecondsBetween(serverBefore, server), outcome),
    databaseMicros: isDirect ? null : microsEach(cpuSecondsBetween(databaseBefore, database), outcome),
    residentMiB: isDirect ? null : residentMiBOf(server)
  }
  yield* Console.log(
    `round ${round}  ${contestant.name.padEnd(24)} ${Math.round(outcome.perSecond).toString().padStart(7)}/s   idle before ${Math.round(idleBefore * 100)} %`
  )
  return result
})

/** Measures the contestants by turns, A B A B, after each has been warmed up. */
export const interleave = Effect.fnUntraced(function* <E, R>(contestants: ReadonlyArray<Contestant<E, R>>) {
  const { options } = yield* Arena
  yield* Console.log(`Warming up ${contestants.length} contestants for ${options.warmUpSeconds} s each.`)
  yield* Effect.forEach(contestants, ({ run }) => run(options.warmUpSeconds, 0), { discard: true })
  const numbers = Array.from({ length: options.rounds }, (_, index) => index + 1)
  const rounds = yield* Effect.forEach(numbers, (round) =>
    Effect.forEach(contestants, (contestant) => measure(contestant, round))
  )
  return rounds.flat()
})
