import { Console, Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Arena from "../../Arena.ts"
import { checkpoint } from "../../database/checkpoint.ts"
import { deliveryStates } from "../../chat/lanes.ts"
import { machineFacts } from "../../machine/facts.ts"
import { waitUntilIdle } from "../../machine/idle.ts"
import { withShares } from "../../machine/shares.ts"
import { printFacts } from "../../report/print.ts"
import { figure, table } from "../../report/table.ts"
import { writeReport } from "../../report/write.ts"
import { parley } from "../../servers/contenders.ts"
import type { Sender } from "../given.ts"
import type { Mock } from "../provider/control.ts"
import { sendListed } from "./broadcasts.ts"

const leastAchieved = 0.99
const mostShare = 0.6
const latencyMillis = 150
const longestDrain = "5 minutes"

const messagesOf = (mock: Mock) =>
  Effect.map(mock.seen, ({ lines }) => lines.reduce((sum, { messages }) => sum + messages, 0))

const readProgress = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly read: number; readonly inDoubt: number }>`
    SELECT coalesce(sum(read), 0)::integer AS read, coalesce(sum(in_doubt), 0)::integer AS "inDoubt"
    FROM broadcast_progress`
  return row ?? { read: 0, inDoubt: 0 }
})

/** P6: the full pace of a number to a provider with realistic delays and receipts for each message. */
export const duty = Effect.fnUntraced(function* (mock: Mock, sender: Sender, perSecond: number) {
  const { grounds, options } = yield* Arena.Arena
  const { seconds, warmUpSeconds } = options
  const server = yield* parley(grounds)
  yield* mock.behave({ latencyMillis, tells: { url: server.url, lines: [sender.line] } })
  const facts = yield* machineFacts
  yield* checkpoint
  const idleBefore = yield* waitUntilIdle(options.idleMillis)
  const all = perSecond * (seconds + warmUpSeconds)
  yield* sendListed(sender, 0, all)
  // Freezing a list takes time. The measurement starts after the first message.
  yield* Effect.repeat(Effect.delay(messagesOf(mock), "100 millis"), { until: (count) => count > 0 }).pipe(
    Effect.timeout(longestDrain)
  )
  yield* Effect.sleep(`${warmUpSeconds} seconds`)
  const before = yield* messagesOf(mock)
  const { seconds: took, shares } = yield* withShares(
    { server: server.pid, generator: mock.pid },
    facts.cores,
    Effect.sleep(`${seconds} seconds`)
  )
  const sent = (yield* messagesOf(mock)) - before
  const waiting = (yield* deliveryStates).waiting
  const { told: reported } = yield* mock.seen
  const rest = Effect.gen(function* () {
    const { told: reported } = yield* mock.seen
    return (yield* messagesOf(mock)) >= all && reported.waiting === 0 && (yield* deliveryStates).waiting === 0
  })
  yield* Effect.repeat(Effect.delay(rest, "1 second"), { until: (is) => is }).pipe(Effect.timeoutOption(longestDrain))
  const seen = yield* mock.seen
  const [line] = seen.lines
  const { inDoubt, read } = yield* readProgress
  yield* printFacts(facts)
  yield* Console.log(
    table(
      [`% of ${facts.cores} cores`, ""],
      Object.entries(shares).map(([what, share]) => [what, figure(100 * share, 1)])
    )
  )
  const achieved = sent / took / perSecond
  const share = shares.server + shares["PostgreSQL for the server"] + shares["PostgreSQL in the background"]
  const verdict = (isReached: boolean) => (isReached ? "reached" : "missed")
  const messages = line?.messages ?? 0
  yield* Console.log(
    `\nRate achieved: ${figure(sent / took)}/s, ${figure(100 * achieved, 1)} % of ${perSecond}, at least ${100 * leastAchieved} %: ${verdict(achieved >= leastAchieved)}` +
      `\nBusiest second at the provider: ${line?.busiest ?? 0}, at most ${perSecond}: ${verdict((line?.busiest ?? 0) <= perSecond)}` +
      `\nCPU of the server and PostgreSQL: ${figure(100 * share, 1)} %, at most ${100 * mostShare} %: ${verdict(share <= mostShare)}` +
      `\nConcurrent webhooks: ${figure(reported.sent / (seconds + warmUpSeconds))}/s answered, p50 ${figure(reported.p50)} ms, p99 ${figure(reported.p99)} ms, ${reported.refused} refused, ${reported.waiting} unsent, ${waiting} unprocessed` +
      `\nIn the end: ${messages} messages, ${line?.duplicates ?? 0} of them twice; ${read} are read, ${inDoubt} in doubt; ${seen.told.waiting} webhooks left` +
      `\nIdle before: ${figure(100 * idleBefore)} %`
  )
  if (options.quick) return
  const { databaseUrl: _, ...settings } = options
  yield* writeReport("broadcast-duty", {
    facts,
    settings: { ...settings, perSecond },
    shares,
    achieved,
    told: reported,
    seen
  })
})
