import { Console, Effect } from "effect"
import * as Arena from "../Arena.ts"
import { type ConstantRate, constantRate } from "../load/constantRate.ts"
import { readsByWrk } from "../load/readsByWrk.ts"
import { randomReads } from "../load/requests.ts"
import { waitUntilIdle } from "../machine/idle.ts"
import { median } from "../report/median.ts"
import { figure, table } from "../report/table.ts"
import type { RunningServer } from "../servers/launch.ts"

/** A server, and half of the reads that it answers a second at most. */
export interface HalfPeak {
  readonly name: string
  readonly server: RunningServer
  readonly rate: number
}

/** Has a server answer as many reads as it can. */
export const halfPeakOf = Effect.fnUntraced(function* (name: string, server: RunningServer) {
  const { options } = yield* Arena.Arena
  const contestant = (yield* readsByWrk)(name, server)
  yield* contestant.run(options.warmUpSeconds, 0)
  const peaks = yield* Effect.forEach([1, 2, 3], (seed) => contestant.run(options.seconds, seed))
  const peak = median(peaks.map(({ perSecond }) => perSecond))
  yield* Console.log(`${name.padEnd(20)} peak ${Math.round(peak)}/s`)
  return { name, server, rate: Math.floor(peak / 2) } satisfies HalfPeak
})

/** Result of a round. */
export interface Measured extends ConstantRate {
  readonly contestant: string
  readonly round: number
  readonly rate: number
  readonly idleBefore: number
}

/** Reads at half of the peak, once the machine is idle or so long has been waited for it. */
export const readAtHalf = Effect.fnUntraced(function* (
  { name, rate, server }: HalfPeak,
  round: number,
  idleMillis: number
) {
  const { options, population } = yield* Arena.Arena
  const idleBefore = yield* waitUntilIdle(idleMillis)
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
  return { ...result, contestant: name, round, rate, idleBefore } satisfies Measured
})

/** The medians of a contestant's rounds. */
export const summaryOf = (contestant: string, all: ReadonlyArray<Measured>) => {
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

const headings = [
  "half of own peak (medians)",
  "per s",
  "p50 ms",
  "p99 ms",
  "p99.9 ms",
  "generator late p99 ms",
  "refused",
  "lost"
]

/** The medians, as they are printed. */
export const summaryTable = (summaries: ReadonlyArray<ReturnType<typeof summaryOf>>) =>
  table(
    headings,
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
