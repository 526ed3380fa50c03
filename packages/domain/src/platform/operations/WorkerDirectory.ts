import { Context, type DateTime, type Effect } from "effect"
import type { TaskName } from "../background/index.ts"

export interface RegisteredProcess {
  readonly id: string
  /** Process name for operators. */
  readonly name: string
  readonly tasks: ReadonlyArray<TaskName>
  /** Number of owned shards per task, for tasks with shards. */
  readonly shards: Readonly<Record<TaskName, number>>
  readonly joinedAt: DateTime.Utc
  /** Time of the last heartbeat, by the clock of the process. */
  readonly seenAt: DateTime.Utc
}

/** Due lanes of a task. */
export interface DueLanes {
  readonly task: TaskName
  readonly count: number
  /** Due time of the longest waiting lane. */
  readonly since: DateTime.Utc
}

/** Worker processes and due lanes, for operators. Not tenant-scoped. */
export class WorkerDirectory extends Context.Service<
  WorkerDirectory,
  {
    /** All processes that have joined and have not left or died, oldest first. */
    readonly processes: Effect.Effect<ReadonlyArray<RegisteredProcess>>
    readonly dueLanes: (now: DateTime.Utc) => Effect.Effect<ReadonlyArray<DueLanes>>
  }
>()("@parley/domain/platform/operations/WorkerDirectory") {}

/** Backlog over all organizations. */
export interface BacklogSize {
  readonly deliveries: {
    readonly waiting: number
    readonly parked: number
    /** Arrival time of the oldest waiting delivery; `null` when none waits. */
    readonly oldest: DateTime.Utc | null
  }
  readonly sends: {
    readonly waiting: number
    /** Due time of the most overdue message; in the future when none is overdue, `null` when none waits. */
    readonly oldest: DateTime.Utc | null
  }
  readonly jobs: {
    readonly queued: number
    readonly running: number
    /** Start time of the job that is queued the longest; `null` when none is queued. */
    readonly oldest: DateTime.Utc | null
  }
  readonly automationRuns: {
    /** Runs with work now. */
    readonly queued: number
    /** Runs that wait for the end of quiet hours or for a retry. */
    readonly waiting: number
    /** Runs that wait for a plugin. */
    readonly calling: number
    /** Start time of the oldest queued run; `null` when none is queued. */
    readonly oldest: DateTime.Utc | null
  }
}

/** Backlog sizes for operators. Not tenant-scoped. */
export class Backlog extends Context.Service<Backlog, { readonly size: Effect.Effect<BacklogSize> }>()(
  "@parley/domain/platform/operations/Backlog"
) {}
