import { Outbox, transact } from "@parley/domain"
import { Console, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { within } from "../campaigns/given.ts"
import { writeReport } from "../report/write.ts"
import { figure } from "../report/table.ts"
import { counted, statements as statementsAsked } from "./counted.ts"
import { givenRoutine, type Routine } from "./given.ts"

const inCommit = 500

/** Long enough for all to have begun to rest before the first goes on, on a machine that has nothing else to do. */
const restSeconds = 8

/** Has so many contacts tagged, many in one commit. */
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

/** Waits until so many runs are in one of these states; says how many seconds after the beginning that was. */
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

/** How soon runs begin that many events begin at once, how soon they rest and are over, and what each of them costs. */
export const rates = Effect.fnUntraced(function* (worker: number, runs: number) {
  const routine = yield* givenRoutine("rates", 1, runs, restSeconds)
  yield* Effect.sleep("1 second")
  yield* (yield* SqlClient.SqlClient)`SELECT pg_stat_statements_reset()`
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
  const { databaseSeconds, rows, statements, value, walBytes, workerSeconds } = whole
  const each = (amount: number, digits: number) => figure(amount / runs, digits)
  yield* Console.log(
    `${runs} runs of two steps with a rest of ${restSeconds} s between them: all have begun after ${figure(value.started, 1)} s (${figure(runs / value.started)}/s), rest after ${figure(value.resting, 1)} s and are over after ${figure(value.over, 1)} s.`
  )
  yield* Console.log(
    `Each: ${each(statements, 1)} statements, ${each(rows, 1)} rows written, ${each(walBytes / 1_024, 1)} KiB of WAL, ${each(workerSeconds * 1_000, 2)} ms of CPU in the worker and ${each(databaseSeconds * 1_000, 2)} ms in PostgreSQL.`
  )
  yield* writeReport("workflows-statements", { runs, statements: yield* statementsAsked })
})
