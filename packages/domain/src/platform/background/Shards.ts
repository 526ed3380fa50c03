import { Context, type DateTime, type Effect } from "effect"
import type { OwnedShard, TaskName } from "./Lane.ts"

export interface WorkerProcess {
  readonly id: string
  readonly name: string
  readonly tasks: ReadonlyArray<TaskName>
  /** Increases with each heartbeat. */
  readonly beat: number
}

/** The active worker processes, and the shards of the current process. */
export interface ShardOwnership {
  readonly nodes: ReadonlyArray<WorkerProcess>
  readonly owned: ReadonlyArray<OwnedShard>
}

/** Shard ownership per task. Not tenant-scoped; it never waits for lane work. */
export class Shards extends Context.Service<
  Shards,
  {
    /** Registers the process for these tasks. */
    readonly join: (node: {
      readonly id: string
      /** Process name for operators. */
      readonly name: string
      readonly tasks: ReadonlyArray<TaskName>
      /** Other tasks of the process without shards, for operators. */
      readonly also?: ReadonlyArray<TaskName>
      readonly now: DateTime.Utc
    }) => Effect.Effect<void>
    /** Records a heartbeat. `null` when the process was declared dead; it owns no shard then. */
    readonly renew: (id: string, now: DateTime.Utc) => Effect.Effect<ShardOwnership | null>
    /** Declares a process dead and frees its shards, unless it has sent a newer heartbeat. */
    readonly expire: (id: string, beat: number) => Effect.Effect<boolean>
    /** Claims up to `count` shards without a living owner. Each gets a higher fence than ever before. */
    readonly claim: (id: string, task: TaskName, count: number) => Effect.Effect<ReadonlyArray<OwnedShard>>
    /** Releases shards. Shards that the process no longer owns stay unchanged. */
    readonly release: (id: string, shards: ReadonlyArray<OwnedShard>) => Effect.Effect<void>
    /** Removes the process and frees all of its shards. */
    readonly leave: (id: string) => Effect.Effect<void>
    /** Completes when a process may have joined, left or released shards. Spurious completion is possible. */
    readonly awaitNotification: Effect.Effect<void>
  }
>()("@parley/domain/platform/background/Shards") {}

interface ObservedHeartbeat {
  readonly beat: number
  readonly silentMillis: number
}

/** Time without a heartbeat after which a process is declared dead. */
export const failureTimeoutMillis = 6_000

/** A longer gap between two observations is a delay of this process or the database. It does not count against other processes. */
const maxGapMillis = 3_000

/** Result of one observation of all processes. */
export interface FailureObservation {
  readonly dead: ReadonlyArray<WorkerProcess>
  /** Time until a silent process can reach the timeout. */
  readonly nextMillis: number
}

/**
 * Detects processes with a missing heartbeat. Each process measures the time since the last observed heartbeat on its own monotonic clock. Clocks
 * need no synchronization, and a standstill of the whole system declares no process dead.
 */
export const makeFailureDetector = () => {
  let seen: ReadonlyMap<string, ObservedHeartbeat> = new Map()
  let lookedAt: number | null = null

  return (nodes: ReadonlyArray<WorkerProcess>, nowMillis: number): FailureObservation => {
    const passed = lookedAt === null ? 0 : Math.min(nowMillis - lookedAt, maxGapMillis)
    lookedAt = nowMillis
    seen = new Map(
      nodes.map(({ beat, id }) => {
        const before = seen.get(id)
        return [id, { beat, silentMillis: before?.beat === beat ? before.silentMillis + passed : 0 }]
      })
    )
    const silentMillisOf = ({ id }: WorkerProcess) => seen.get(id)?.silentMillis ?? 0
    const dead = nodes.filter((node) => silentMillisOf(node) >= failureTimeoutMillis)
    const left = nodes.filter((node) => !dead.includes(node)).map((node) => failureTimeoutMillis - silentMillisOf(node))
    return { dead, nextMillis: Math.min(failureTimeoutMillis, ...left) }
  }
}
