import { DateTime, Effect, Schema } from "effect"
import { Timestamp, useCase } from "../../../kernel/index.ts"
import { type DeclaredEventConsumer, makeListEventConsumers, EventConsumerView } from "../../events/index.ts"
import {
  Backlog,
  type BacklogSize,
  type DueLanes,
  WorkerDirectory,
  type RegisteredProcess
} from "../WorkerDirectory.ts"

/** Worker process as shown to operators. */
export const ProcessView = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  tasks: Schema.Array(Schema.String),
  shards: Schema.Record(Schema.String, Schema.Int),
  joinedAt: Timestamp,
  seenAt: Timestamp
})
export type ProcessView = typeof ProcessView.Type

/** Background task with its number of processes, its backlog and the age of the backlog. */
export const BackgroundTaskView = Schema.Struct({
  name: Schema.String,
  processes: Schema.Int,
  /** `null` if the backlog is not counted. */
  waiting: Schema.NullOr(Schema.Int),
  /** Time since which the oldest item waits; `null` without waiting items. */
  since: Schema.NullOr(Timestamp)
})
export type BackgroundTaskView = typeof BackgroundTaskView.Type

/** Worker processes, background tasks and their backlogs. */
export const WorkersView = Schema.Struct({
  processes: Schema.Array(ProcessView),
  tasks: Schema.Array(BackgroundTaskView),
  consumers: Schema.Array(EventConsumerView)
})
export type WorkersView = typeof WorkersView.Type

interface WaitingCount {
  readonly waiting: number
  readonly since: DateTime.Utc | null
}

const countBacklog = ({ deliveries, jobs, sends }: BacklogSize): ReadonlyArray<readonly [string, WaitingCount]> => [
  ["sends", { waiting: sends.waiting, since: sends.oldest }],
  ["deliveries", { waiting: deliveries.waiting, since: deliveries.oldest }],
  ["jobs", { waiting: jobs.queued, since: jobs.oldest }]
]

const earliestOf = (one: DateTime.Utc | null, other: DateTime.Utc | null) =>
  one === null || other === null ? (one ?? other) : DateTime.min(one, other)

/** The backlog of event consumers consists of unread log events. */
const countPendingEvents = (consumers: ReadonlyArray<EventConsumerView>): readonly [string, WaitingCount] => [
  "event_consumers",
  consumers.reduce<WaitingCount>(
    ({ since, waiting }, { behind, waitingSince }) => ({
      waiting: waiting + behind,
      since: earliestOf(since, waitingSince)
    }),
    { waiting: 0, since: null }
  )
]

const countDueLanes = (lanes: ReadonlyArray<DueLanes>) =>
  lanes.map(({ count, since, task }): readonly [string, WaitingCount] => [task, { waiting: count, since }])

/** Lane work is counted even while no lane is due. */
const hasShards = (processes: ReadonlyArray<RegisteredProcess>, name: string) =>
  processes.some(({ shards }) => shards[name] !== undefined)

/** Postponed work does not count as waiting. */
const isOverdue = (since: DateTime.Utc | null, now: DateTime.Utc): since is DateTime.Utc =>
  since !== null && DateTime.isLessThanOrEqualTo(since, now)

const toProcessView = ({ tasks, ...process }: RegisteredProcess): ProcessView => ({ ...process, tasks })

const toTaskViews = (
  processes: ReadonlyArray<RegisteredProcess>,
  waiting: ReadonlyMap<string, WaitingCount>,
  now: DateTime.Utc
): ReadonlyArray<BackgroundTaskView> =>
  Array.from(new Set([...waiting.keys(), ...processes.flatMap(({ tasks }) => tasks)]), (name) => {
    const behind = waiting.get(name)
    const since = behind?.since ?? null
    return {
      name,
      processes: processes.filter(({ tasks }) => tasks.includes(name)).length,
      waiting: behind?.waiting ?? (hasShards(processes, name) ? 0 : null),
      since: isOverdue(since, now) ? since : null
    }
  })

/** Shows an operator the worker processes and the backlog of each task and each event consumer. */
export const makeGetWorkerStatus = (declared: ReadonlyArray<DeclaredEventConsumer>) => {
  const listConsumers = makeListEventConsumers(declared)

  return useCase(
    { name: "operations.showWorkers", access: "operator" },
    Effect.fnUntraced(function* () {
      const directory = yield* WorkerDirectory
      const now = yield* DateTime.now
      const processes = yield* directory.processes
      const { consumers } = yield* listConsumers()
      // Some tasks count their items, for example messages. For other tasks the count is the number of due lanes.
      const waiting = new Map([
        ...countDueLanes(yield* directory.dueLanes(now)),
        ...countBacklog(yield* (yield* Backlog).size),
        countPendingEvents(consumers)
      ])
      return {
        processes: processes.map(toProcessView),
        tasks: toTaskViews(processes, waiting, now),
        consumers
      } satisfies WorkersView
    })
  )
}
