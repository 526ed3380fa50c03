import { type ProcessView, type EventConsumerView, type BackgroundTaskView, WorkersView } from "@parley/domain/platform"
import { getWorkerStatus } from "@parley/domain/composition"
import { Console, DateTime, Effect, Schema } from "effect"
import { Command } from "effect/cli"
import * as Flags from "../console/flags.ts"
import { printJson, table } from "../console/print.ts"
import { ageOf } from "../console/text.ts"
import { operate } from "../tenant/target.ts"

/** Prints event consumers as a table: the lag of each, and its cause. */
export const consumersTable = (consumers: ReadonlyArray<EventConsumerView>, now: DateTime.Utc) =>
  table(consumers, [
    { heading: "CONSUMER", of: ({ name }) => name },
    { heading: "BEHIND IN", of: ({ behind }) => String(behind), align: "right" },
    {
      heading: "LAG",
      of: ({ waitingSince }) => (waitingSince === null ? "" : ageOf(waitingSince, now)),
      align: "right"
    },
    { heading: "FAILING IN", of: ({ failing }) => String(failing), align: "right" },
    { heading: "PARKED", of: ({ parked }) => String(parked), align: "right" },
    { heading: "", of: ({ isDeclared }) => (isDeclared ? "" : "removed from the code") }
  ])

const encode = Schema.encodeEffect(Schema.toCodecJson(WorkersView))

const tasksOf = ({ shards, tasks }: ProcessView) =>
  tasks.map((task) => (shards[task] === undefined ? task : `${task} (${shards[task]} shards)`)).join(", ")

const tasksTable = (tasks: ReadonlyArray<BackgroundTaskView>, now: DateTime.Utc) =>
  table(tasks, [
    { heading: "TASK", of: ({ name }) => name },
    { heading: "PROCESSES", of: ({ processes }) => String(processes), align: "right" },
    { heading: "WAITING", of: ({ waiting }) => (waiting === null ? "" : String(waiting)), align: "right" },
    { heading: "BEHIND", of: ({ since }) => (since === null ? "" : ageOf(since, now)), align: "right" }
  ])

const processesTable = (processes: ReadonlyArray<ProcessView>, now: DateTime.Utc) =>
  table(processes, [
    { heading: "PROCESS", of: ({ name }) => name },
    { heading: "FOR", of: ({ joinedAt }) => ageOf(joinedAt, now), align: "right" },
    { heading: "SEEN", of: ({ seenAt }) => `${ageOf(seenAt, now)} ago`, align: "right" },
    { heading: "TASKS", of: tasksOf }
  ])

const noWorkers = "No worker runs. Start `parley worker`, or `parley serve` without --no-workers."

export const workers = Command.make(
  "workers",
  { json: Flags.json },
  Effect.fn(function* ({ json }) {
    yield* operate(
      Effect.gen(function* () {
        const shown = yield* getWorkerStatus()
        if (json) return yield* printJson(yield* Effect.orDie(encode(shown)))
        const now = yield* DateTime.now
        yield* Console.log(tasksTable(shown.tasks, now))
        yield* Console.log(`\n${consumersTable(shown.consumers, now)}`)
        const { CurrentHold, describeHold } = yield* Effect.promise(() => import("@parley/service/hold"))
        const hold = yield* yield* CurrentHold
        if (hold !== null) yield* Console.error(describeHold(hold))
        if (shown.processes.length === 0) return yield* Console.error(noWorkers)
        yield* Console.log(`\n${processesTable(shown.processes, now)}`)
      })
    )
  })
).pipe(Command.withExamples([{ command: "parley workers" }, { command: "parley workers --json" }]))
