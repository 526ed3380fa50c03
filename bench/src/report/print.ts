import { Console, Effect } from "effect"
import type { MachineFacts } from "../machine/facts.ts"
import type { Ratio, Summary } from "./summary.ts"
import { figure, table } from "./table.ts"

/** A goal: `one` is at least this number of times as fast as `other`. */
export interface Bar extends Ratio {
  readonly atLeast: number | null
}

/** Prints the machine of the measurement. */
export const printFacts = ({ at, cores, cpu, memoryGiB, node, postgres, sharedBuffers }: MachineFacts) =>
  Console.log(
    `\n${at}: ${cores} cores (${cpu}), ${memoryGiB} GiB, Node ${node}, PostgreSQL ${postgres} with ${sharedBuffers} of shared buffers\n`
  )

/** Prints the medians of each contestant. */
export const printSummaries = (summaries: ReadonlyArray<Summary>) =>
  Console.log(
    table(
      ["contestant (medians)", "per s", "p50 ms", "p99 ms", "server us", "postgres us", "RSS MiB"],
      summaries.map((summary) => [
        summary.contestant,
        figure(summary.perSecond),
        figure(summary.p50, 2),
        figure(summary.p99, 2),
        figure(summary.serverMicros, 1),
        figure(summary.databaseMicros, 1),
        figure(summary.residentMiB)
      ])
    )
  )

const verdict = ({ atLeast, median }: Bar) => {
  if (atLeast === null) return ""
  return median >= atLeast ? "reached" : "missed"
}

/** Prints the ratios, and whether they reach the targets. */
export const printBars = (bars: ReadonlyArray<Bar>) =>
  Effect.andThen(
    Console.log(""),
    Console.log(
      table(
        ["ratio", "median", "at least", "", "by round"],
        bars.map((bar) => [
          `${bar.one} / ${bar.other}`,
          figure(bar.median, 3),
          figure(bar.atLeast, 2),
          verdict(bar),
          bar.byRound.map((ratio) => ratio.toFixed(2)).join(" ")
        ])
      )
    )
  )
