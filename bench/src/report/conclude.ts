import { Effect } from "effect"
import { Arena } from "../Arena.ts"
import { machineFacts } from "../machine/facts.ts"
import type { Round } from "../rounds.ts"
import { type Bar, printBars, printFacts, printSummaries } from "./print.ts"
import { summaryOf } from "./summary.ts"
import { writeReport } from "./write.ts"

/** Prints the results of the rounds. Stores them, except results of quick rounds. */
export const conclude = Effect.fnUntraced(function* (
  bench: string,
  rounds: ReadonlyArray<Round>,
  bars: ReadonlyArray<Bar>
) {
  const { options } = yield* Arena
  const facts = yield* machineFacts
  const names = [...new Set(rounds.map(({ contestant }) => contestant))]
  const summaries = names.map((name) => summaryOf(name, rounds))
  yield* printFacts(facts)
  yield* printSummaries(summaries)
  yield* printBars(bars)
  if (options.quick) return
  const { databaseUrl: _, ...settings } = options
  yield* writeReport(bench, { facts, settings, summaries, bars, rounds })
})
