import { cancelBroadcast } from "@parley/domain"
import { Console, Effect } from "effect"
import * as Arena from "../../Arena.ts"
import { checkpoint } from "../../database/checkpoint.ts"
import { ToolFailed } from "../../load/ToolFailed.ts"
import { machineFacts } from "../../machine/facts.ts"
import { waitUntilIdle } from "../../machine/idle.ts"
import { median } from "../../report/median.ts"
import { printFacts } from "../../report/print.ts"
import { figure } from "../../report/table.ts"
import { writeReport } from "../../report/write.ts"
import { parley } from "../../servers/contenders.ts"
import { givenBroadcast, type Sender, within } from "../given.ts"
import type { Mock } from "../provider/control.ts"
import { clearBroadcasts, send } from "./broadcasts.ts"

const mostMillis = 2_000
const longestMillis = 120_000

/** P7: time from the start of a broadcast without a list to its first message. */
export const untilFirst = Effect.fnUntraced(function* (mock: Mock, sender: Sender, recipients: number) {
  const { grounds, options } = yield* Arena.Arena
  yield* parley(grounds)
  const took: Array<number> = []
  for (let round = 0; round <= options.rounds; round += 1) {
    yield* mock.behave({ latencyMillis: 0, tells: null })
    yield* checkpoint
    const idleBefore = yield* waitUntilIdle(options.idleMillis)
    const id = yield* givenBroadcast(sender, 0, null)
    const begun = Date.now()
    yield* send(sender, id)
    const answered = Date.now() - begun
    const first = Effect.map(mock.seen, ({ lines }) => lines[0]?.firstAt ?? null)
    const firstAt = yield* Effect.repeat(Effect.delay(first, "10 millis"), {
      until: (at) => at !== null || Date.now() - begun > longestMillis
    })
    if (firstAt === null)
      return yield* new ToolFailed({ tool: "parley", output: "It sent nothing within two minutes." })
    yield* within(sender.line.organizationId)(cancelBroadcast({ id }))
    // A running listing is completed.
    yield* Effect.sleep("2 seconds")
    yield* clearBroadcasts
    if (round > 0) took.push(firstAt - begun)
    yield* Console.log(
      `round ${round}  answered after ${answered} ms, the first message after ${firstAt - begun} ms   idle before ${figure(100 * idleBefore)} %`
    )
  }
  const facts = yield* machineFacts
  yield* printFacts(facts)
  const middle = median(took)
  yield* Console.log(
    `The first of ${recipients} messages ${figure(middle)} ms after the start (median), at most ${mostMillis}: ${middle <= mostMillis ? "reached" : "missed"}`
  )
  if (options.quick) return
  const { databaseUrl: _, ...settings } = options
  yield* writeReport("broadcast-start", { facts, settings, recipients, took })
})
