import { Console, Effect } from "effect"
import * as Arena from "../../Arena.ts"
import { ToolFailed } from "../../load/ToolFailed.ts"
import { backends } from "../../machine/backends.ts"
import { cpuSecondsBetween, usesOf } from "../../machine/ProcessUse.ts"
import { conclude } from "../../report/conclude.ts"
import { median } from "../../report/median.ts"
import { ratioOf, summaryOf } from "../../report/summary.ts"
import { figure, table } from "../../report/table.ts"
import { interleave } from "../../rounds.ts"
import { parley } from "../../servers/contenders.ts"
import { untilDone } from "../fleet/fleet.ts"
import { clearQueue, enqueue, fetchQueues, type QueueName, startQueue, untilStored } from "../fleet/queues.ts"
import type { Sender } from "../given.ts"
import type { Mock } from "../provider/control.ts"
import { clearBroadcasts, sendListed, untilSettled } from "./broadcasts.ts"

interface Cost {
  readonly contestant: string
  readonly sender: number
  readonly postgres: number
  readonly provider: number
}

const own = "parley"
const rivals: ReadonlyArray<QueueName> = ["graphile-worker", "pg-boss"]
const leastPerSecond = 10_000
const leastRatio = 2
const atOnce = { latencyMillis: 0, tells: null }

/** Sends all of them with a number of processes. The measurement ends when the results of all are stored. */
const round = Effect.fnUntraced(function* <E, R>(
  contestant: string,
  mock: Mock,
  pids: ReadonlyArray<number>,
  all: number,
  work: Effect.Effect<unknown, E, R>,
  costs: Array<Cost>
) {
  yield* mock.behave(atOnce)
  const look = Effect.all({
    sender: usesOf(pids),
    postgres: Effect.flatMap(backends, usesOf),
    provider: usesOf([mock.pid])
  })
  const before = yield* look
  yield* work
  const end = Date.now()
  const after = yield* look
  const { lines } = yield* mock.seen
  const taken = lines.reduce((sum, { duplicates, messages }) => sum + messages - duplicates, 0)
  const twice = lines.reduce((sum, { duplicates }) => sum + duplicates, 0)
  if (taken !== all || twice > 0) {
    const output = `Of ${all} messages ${taken} reached the provider, ${twice} of them twice.`
    return yield* new ToolFailed({ tool: contestant, output })
  }
  const micros = (part: keyof typeof before) => (cpuSecondsBetween(before[part], after[part]) * 1e6) / all
  costs.push({ contestant, sender: micros("sender"), postgres: micros("postgres"), provider: micros("provider") })
  const begun = Math.min(...lines.map(({ firstAt }) => firstAt))
  return { perSecond: all / ((end - begun) / 1_000), load: null }
})

/** P5: messages a second from the list to the provider and back into the list, against queues that call the same provider. */
export const throughput = Effect.fnUntraced(function* (
  mock: Mock,
  senders: ReadonlyArray<Sender>,
  recipients: number,
  processes: number
) {
  const { grounds } = yield* Arena.Arena
  yield* fetchQueues
  const each = Math.ceil(recipients / senders.length)
  const all = each * senders.length
  const costs: Array<Cost> = []
  const servers = yield* Effect.replicateEffect(parley(grounds), processes)
  const pids = servers.map(({ pid }) => pid)
  const parleys = {
    name: own,
    pids: [],
    run: () =>
      round(
        own,
        mock,
        pids,
        all,
        Effect.andThen(
          Effect.forEach(senders, (sender, place) => sendListed(sender, place, each), { discard: true }),
          untilSettled
        ),
        costs
      ).pipe(Effect.tap(clearBroadcasts))
  }
  const others = rivals.map((name) => ({
    name,
    pids: [],
    run: () =>
      Effect.gen(function* () {
        yield* enqueue(name, grounds.databaseUrl, all)
        const fleet = yield* startQueue(name, grounds.databaseUrl, { processes, concurrency: 64, provider: mock.url })
        const work = Effect.andThen(fleet.go, Effect.andThen(untilDone(name, fleet, all), untilStored(name)))
        return yield* round(name, mock, fleet.pids, all, work, costs)
      }).pipe(Effect.scoped, Effect.tap(clearQueue(name)))
  }))
  type Run = ReturnType<(typeof parleys | (typeof others)[number])["run"]>
  const rounds = yield* interleave<Effect.Error<Run>, Effect.Services<Run>>([parleys, ...others])
  yield* conclude(
    "broadcast-send",
    rounds,
    rivals.map((name) => ({ ...ratioOf(own, name, rounds), atLeast: leastRatio }))
  )
  const costOf = (name: string, part: "sender" | "postgres" | "provider") =>
    figure(median(costs.filter(({ contestant }) => contestant === name).map((cost) => cost[part])), 1)
  yield* Console.log("")
  yield* Console.log(
    table(
      ["us of CPU for each message (medians)", "sender", "PostgreSQL", "provider"],
      [own, ...rivals].map((name) => [name, costOf(name, "sender"), costOf(name, "postgres"), costOf(name, "provider")])
    )
  )
  const { perSecond } = summaryOf(own, rounds)
  yield* Console.log(
    `\n${figure(perSecond)} messages a second, at least ${leastPerSecond}: ${perSecond >= leastPerSecond ? "reached" : "missed"}`
  )
})
