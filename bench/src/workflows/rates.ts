import { Outbox, transact } from "@parley/domain"
import { Console, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { within } from "../campaigns/given.ts"
import { writeReport } from "../report/write.ts"
import { figure } from "../report/table.ts"
import { costOfEach, counted, statements } from "./counted.ts"
import { givenRoutine, type Routine } from "./given.ts"

const inCommit = 500

/** Long enough for all runs to wait before the first continues, on an idle machine. */
const restSeconds = 8

/** Tags this number of contacts, many in one commit. */
const tagAll = Effect.fnUntraced(function* ({ organizationId, start }: Routine) {
  const sql = yield* SqlClient.SqlClient
  const contacts = yield* sql<{
    readonly id: string
  }>`SELECT id FROM contacts WHERE organization_id = ${organizationId}`
  for (let from = 0; from < contacts.length; from += inCommit) {
    const some = contacts.slice(from, from + inCommit)
    yield* within(organizationId)(
      Effect.flatMap(Outbox, (outbox) =>
        transact(
          Effect.forEach(some, ({ id }) => outbox.append({ type: "contact.tagged", contactId: id, tagIds: [start] }), {
            discard: true
          })
        )
      )
    )
  }
})

/** Waits until a number of runs is in one of these states. Returns the seconds since the start. */
const until = Effect.fnUntraced(function* (
  { organizationId }: Routine,
  count: number,
  states: ReadonlyArray<string>,
  begun: number
) {
  const sql = yield* SqlClient.SqlClient
  const there = sql<{ readonly count: number }>`
    SELECT count(*)::integer AS count FROM workflow_runs
    WHERE organization_id = ${organizationId} AND state = ANY(${Array.from(states)}::text[])`
  yield* Effect.repeat(Effect.delay(there, "50 millis"), { until: ([row]) => (row?.count ?? 0) >= count }).pipe(
    Effect.timeout("10 minutes")
  )
  return (performance.now() - begun) / 1_000
})

/** How soon runs start for concurrent events, wait and end, and the cost of each. */
export const rates = Effect.fnUntraced(function* (worker: number, runs: number) {
  const routine = yield* givenRoutine("rates", 1, runs, restSeconds)
  yield* Effect.sleep("1 second")
  const whole = yield* counted(
    worker,
    Effect.gen(function* () {
      const begun = performance.now()
      yield* tagAll(routine)
      const [started, resting, over] = yield* Effect.all(
        [
          until(routine, runs, ["running", "waiting", "completed"], begun),
          until(routine, runs, ["waiting", "completed"], begun),
          until(routine, runs, ["completed"], begun)
        ],
        { concurrency: "unbounded" }
      )
      return { started, resting, over }
    })
  )
  const { value } = whole
  yield* Console.log(
    `${runs} runs of two steps with a rest of ${restSeconds} s between them: all have begun after ${figure(value.started, 1)} s (${figure(runs / value.started)}/s), rest after ${figure(value.resting, 1)} s and are over after ${figure(value.over, 1)} s.`
  )
  yield* Console.log(`Each: ${costOfEach(whole, runs)}.`)
  yield* writeReport("workflows-rates", { runs, statements: yield* statements })
})
