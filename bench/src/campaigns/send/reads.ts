import { type BroadcastId, pauseBroadcast, resumeBroadcast } from "@parley/domain"
import { Console, Effect } from "effect"
import * as Arena from "../../Arena.ts"
import { checkpoint } from "../../database/checkpoint.ts"
import { ToolFailed } from "../../load/ToolFailed.ts"
import { machineFacts } from "../../machine/facts.ts"
import { halfPeakOf, readAtHalf, summaryOf, summaryTable } from "../../p3/halfPeak.ts"
import { printFacts } from "../../report/print.ts"
import { figure } from "../../report/table.ts"
import { writeReport } from "../../report/write.ts"
import { parley } from "../../servers/contenders.ts"
import { type Sender, within } from "../given.ts"
import type { Mock } from "../provider/control.ts"
import { progress, sendListed } from "./broadcasts.ts"

const mostTimes = 2
const latencyMillis = 150

/** Longer than the settlement of messages in flight takes after a pause. */
const settling = "2 seconds"

const untilSending = (left: number) =>
  Effect.repeat(Effect.delay(progress, "100 millis"), { until: (now) => now.left < left }).pipe(
    Effect.timeoutOrElse({
      duration: "2 minutes",
      orElse: () => Effect.fail(new ToolFailed({ tool: "parley", output: "The broadcast does not go on." }))
    })
  )

/** P3 during a large broadcast: duration of reads at half of the peak while the broadcast is sent, and while it is paused. */
export const readsBeside = Effect.fnUntraced(function* (
  mock: Mock,
  sender: Sender,
  recipients: number,
  perSecond: number
) {
  const { grounds, options } = yield* Arena.Arena
  const server = yield* parley(grounds)
  yield* mock.behave({ latencyMillis, tells: { url: server.url, lines: [sender.line] } })
  const half = yield* halfPeakOf("alone", server)
  const beside = { ...half, name: "beside a broadcast" }
  const inName = within(sender.line.organizationId)
  const pause = (id: BroadcastId) => Effect.andThen(inName(pauseBroadcast({ id })), Effect.sleep(settling))
  yield* Console.log(`Preparing a broadcast to ${recipients} people, ${perSecond} a second.`)
  const id = yield* sendListed(sender, 0, recipients)
  yield* untilSending(recipients)
  const numbers = Array.from({ length: options.rounds }, (_, index) => index + 1)
  const rounds = (yield* Effect.forEach(
    numbers,
    Effect.fnUntraced(function* (round) {
      yield* pause(id)
      yield* checkpoint
      const alone = yield* readAtHalf(half, round, options.idleMillis)
      yield* inName(resumeBroadcast({ id }))
      const { left } = yield* progress
      yield* untilSending(left)
      const began = performance.now()
      const before = yield* progress
      const measured = yield* readAtHalf(beside, round, 0)
      const sent = before.left - (yield* progress).left
      const pace = sent / ((performance.now() - began) / 1_000)
      yield* Console.log(`round ${round}  sent meanwhile: ${figure(pace)}/s`)
      return [alone, { ...measured, pace }]
    })
  )).flat()
  yield* pause(id)
  const facts = yield* machineFacts
  const summaries = [half, beside].map(({ name }) => summaryOf(name, rounds))
  yield* printFacts(facts)
  yield* Console.log(summaryTable(summaries))
  const [alone, meanwhile] = summaries
  const times = (meanwhile?.p99 ?? Number.NaN) / (alone?.p99 ?? Number.NaN)
  yield* Console.log(
    `\np99 beside it, of the one alone: ${figure(times, 2)}, at most ${mostTimes}: ${times <= mostTimes ? "reached" : "missed"}`
  )
  if (options.quick) return
  const { databaseUrl: _, ...settings } = options
  yield* writeReport("broadcast-reads", { facts, settings: { ...settings, recipients, perSecond }, summaries, rounds })
})
