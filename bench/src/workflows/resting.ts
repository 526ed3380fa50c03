import { Console, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { processUse } from "../machine/ProcessUse.ts"
import { figure } from "../report/table.ts"
import { writeReport } from "../report/write.ts"
import { costOfEach, counted, statements } from "./counted.ts"
import { givenDue, givenResting, givenRoutine, openLanes } from "./given.ts"
import { lateness, spread } from "./late.ts"

const mebibytes = (bytes: number) => `${figure(bytes / 2 ** 20)} MiB`

const size = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly runs: number; readonly steps: number }>`
    SELECT pg_total_relation_size('workflow_runs')::float8 AS runs, pg_total_relation_size('workflow_run_steps')::float8 AS steps`
  return row ?? { runs: 0, steps: 0 }
})

/** Cost of waiting runs, and delays of runs that are due in sequence and together. */
export const resting = Effect.fnUntraced(function* (
  worker: number,
  amounts: {
    readonly resting: number
    readonly atOnce: number
    readonly perSecond: number
    readonly seconds: number
  }
) {
  const sql = yield* SqlClient.SqlClient
  const { atOnce, perSecond, seconds } = amounts
  const steady = perSecond * seconds
  const memory = Effect.map(processUse(worker), ({ residentBytes }) => mebibytes(residentBytes))
  const routine = yield* givenRoutine("resting", 2, steady + atOnce, 60)
  const before = yield* memory
  yield* givenResting(routine, amounts.resting)
  yield* sql`VACUUM ANALYZE workflow_runs`.unprepared
  yield* sql`VACUUM ANALYZE workflow_run_steps`.unprepared
  yield* openLanes(routine.organizationId)
  yield* Effect.sleep("2 seconds")
  const { runs, steps } = yield* size
  yield* Console.log(
    `${amounts.resting} runs rest: ${mebibytes(runs)} of runs and ${mebibytes(steps)} of steps, ${figure((runs + steps) / Math.max(1, amounts.resting))} bytes each. The worker holds ${yield* memory}, and held ${before} before.`
  )
  yield* givenDue(routine, { from: 0, count: steady, gapMillis: 1_000 / perSecond }, 3_000)
  const late = yield* lateness(steady, (seconds + 60) * 1_000)
  yield* Console.log(
    `${perSecond} a second are due for ${seconds} s: ${late.length} of ${steady} went on, ${spread(late)}.`
  )
  yield* givenDue(routine, { from: steady, count: atOnce, gapMillis: 0 }, 5_000)
  const storm = yield* counted(worker, lateness(atOnce, 300_000))
  const stormed = storm.value
  yield* Console.log(
    `${atOnce} are due at once: ${stormed.length} went on, ${spread(stormed)}, ${figure(stormed.length / ((stormed.at(-1) ?? 0) / 1_000))}/s. The worker holds ${yield* memory}.`
  )
  yield* Console.log(`Each: ${costOfEach(storm, atOnce)}.`)
  yield* writeReport("workflows-storm", { runs: atOnce, statements: yield* statements })
})
