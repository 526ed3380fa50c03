import { Context, type DateTime, type Effect } from "effect"
import type { TaskName } from "../background/index.ts"

/** A process that works in the background. */
export interface RegisteredProcess {
  readonly id: string
  /** What operators know it by. */
  readonly name: string
  readonly works: ReadonlyArray<TaskName>
  /** How many shards of a work are its own, where the work has shards. */
  readonly shards: Readonly<Record<TaskName, number>>
  readonly joinedAt: DateTime.Utc
  /** When it gave its last sign of life, by its own clock. */
  readonly seenAt: DateTime.Utc
}

/** The lanes of a work whose time has come. */
export interface DueLanes {
  readonly work: TaskName
  readonly count: number
  /** Since when the one that waits longest could be worked at. */
  readonly since: DateTime.Utc
}

/** Tells operators which processes work, and which lanes wait for one. It stands above tenants, and names none. */
export class WorkerDirectory extends Context.Service<
  WorkerDirectory,
  {
    /** All that have joined and have not left or died, from the eldest on. */
    readonly processes: Effect.Effect<ReadonlyArray<RegisteredProcess>>
    readonly dueLanes: (now: DateTime.Utc) => Effect.Effect<ReadonlyArray<DueLanes>>
  }
>()("@parley/domain/platform/operations/WorkerDirectory") {}

/** How much waits to be done, over all organizations. */
export interface BacklogSize {
  readonly deliveries: {
    readonly waiting: number
    readonly parked: number
    /** When the one that has waited longest came; `null` where none waits. */
    readonly oldest: DateTime.Utc | null
  }
  readonly sends: {
    readonly waiting: number
    /** Since when the most overdue one could be sent; in the future where none is overdue, `null` where none waits. */
    readonly oldest: DateTime.Utc | null
  }
  readonly jobs: {
    readonly queued: number
    readonly running: number
    /** When the one that has been queued longest was started; `null` where none is queued. */
    readonly oldest: DateTime.Utc | null
  }
  readonly automationRuns: {
    /** Those with something to do now. */
    readonly queued: number
    /** Those that wait for the end of quiet hours, or to be tried again. */
    readonly waiting: number
    /** Those that wait for a plugin. */
    readonly calling: number
    /** When the queued one that is oldest began; `null` where none is queued. */
    readonly oldest: DateTime.Utc | null
  }
}

/** Tells operators how much waits. It stands above tenants, and names none. */
export class Backlog extends Context.Service<Backlog, { readonly size: Effect.Effect<BacklogSize> }>()(
  "@parley/domain/platform/operations/Backlog"
) {}
