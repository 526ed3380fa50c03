import { Console, Effect } from "effect"
import * as Arena from "../../Arena.ts"
import { machineFacts } from "../../machine/facts.ts"
import { processUse } from "../../machine/ProcessUse.ts"
import { printFacts } from "../../report/print.ts"
import { figure, table } from "../../report/table.ts"
import { writeReport } from "../../report/write.ts"
import { parley } from "../../servers/contenders.ts"
import type { Sender } from "../given.ts"
import type { Mock } from "../provider/control.ts"
import { progress, sendListed } from "./broadcasts.ts"

const mostMiB = 150
const mostSlope = 1
const shown = 10

/** Number of sent messages, and the memory of the sender at that time. */
interface Sample {
  readonly sent: number
  readonly mebibytes: number
}

/** By how many mebibytes it grows with each million: the line through all of them that fits best. */
const slopeOf = (samples: ReadonlyArray<Sample>) => {
  const mean = (values: ReadonlyArray<number>) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [sent, held] = [mean(samples.map(({ sent }) => sent)), mean(samples.map(({ mebibytes }) => mebibytes))]
  const along = samples.reduce((sum, one) => sum + (one.sent - sent) * (one.mebibytes - held), 0)
  return (1e6 * along) / samples.reduce((sum, one) => sum + (one.sent - sent) ** 2, 0)
}

/** P8: memory of a process that sends a large broadcast at full speed. */
export const memory = Effect.fnUntraced(function* (mock: Mock, sender: Sender, recipients: number) {
  const { grounds, options } = yield* Arena.Arena
  const server = yield* parley(grounds)
  yield* mock.behave({ latencyMillis: 0, tells: null })
  const begun = performance.now()
  yield* sendListed(sender, 0, recipients)
  const samples: Array<Sample> = []
  let { left } = yield* progress
  while (left > 0) {
    yield* Effect.sleep("500 millis")
    left = (yield* progress).left
    const { residentBytes } = yield* processUse(server.pid)
    samples.push({ sent: recipients - left, mebibytes: residentBytes / 2 ** 20 })
  }
  const took = (performance.now() - begun) / 1_000
  const facts = yield* machineFacts
  yield* printFacts(facts)
  const each = Math.max(1, Math.floor(samples.length / shown))
  yield* Console.log(
    table(
      ["messages sent", "MiB"],
      samples.filter((_, index) => index % each === 0).map(({ mebibytes, sent }) => [String(sent), figure(mebibytes)])
    )
  )
  // After the first tenth, its code is compiled and its heap has its final size.
  const settled = samples.filter(({ sent }) => sent > recipients / 10)
  const most = Math.max(...samples.map(({ mebibytes }) => mebibytes))
  const slope = slopeOf(settled)
  const verdict = (isReached: boolean) => (isReached ? "reached" : "missed")
  yield* Console.log(
    `\n${recipients} messages in ${figure(took)} s` +
      `\nHeld at most: ${figure(most)} MiB, at most ${mostMiB}: ${verdict(most <= mostMiB)}` +
      `\nGrowth with a million: ${figure(slope, 1)} MiB, at most ${mostSlope}: ${verdict(slope <= mostSlope)}`
  )
  if (options.quick) return
  const { databaseUrl: _, ...settings } = options
  yield* writeReport("broadcast-memory", { facts, settings, recipients, samples })
})
