import { Context, type DateTime, type Effect } from "effect"
import type { OwnedShard, TaskName } from "./Lane.ts"

/** A process that works. */
export interface WorkerProcess {
  readonly id: string
  readonly works: ReadonlyArray<TaskName>
  /** Goes up with each heartbeat. */
  readonly beat: number
}

/** The processes that work, and the shards that the asking one owns. */
export interface ShardOwnership {
  readonly nodes: ReadonlyArray<WorkerProcess>
  readonly owned: ReadonlyArray<OwnedShard>
}

/** Which process owns which shards of which work. It stands above tenants, and never waits for those who work. */
export class Shards extends Context.Service<
  Shards,
  {
    /** Adds the process to those that share these works. */
    readonly join: (node: {
      readonly id: string
      /** What operators know it by. */
      readonly name: string
      readonly works: ReadonlyArray<TaskName>
      /** What it does besides, which has no shards: for operators to see. */
      readonly also?: ReadonlyArray<TaskName>
      readonly now: DateTime.Utc
    }) => Effect.Effect<void>
    /** A heartbeat. `null` when the process was declared dead: then it owns nothing any more. */
    readonly renew: (id: string, now: DateTime.Utc) => Effect.Effect<ShardOwnership | null>
    /** Declares a process dead, unless it has sent a heartbeat since that one. Its shards are free. */
    readonly expire: (id: string, beat: number) => Effect.Effect<boolean>
    /** Claims up to so many shards that no living process owns; each with a higher fence than ever before. */
    readonly claim: (id: string, work: TaskName, count: number) => Effect.Effect<ReadonlyArray<OwnedShard>>
    /** Releases shards. Those that it does not own any more stay as they are. */
    readonly release: (id: string, shards: ReadonlyArray<OwnedShard>) => Effect.Effect<void>
    /** The process stops working: all of its shards are free. */
    readonly leave: (id: string) => Effect.Effect<void>
    /** Completes when a process may have joined or left, or released shards; it may complete for nothing. */
    readonly awaitNotification: Effect.Effect<void>
  }
>()("@parley/domain/platform/background/Shards") {}

interface ObservedHeartbeat {
  readonly beat: number
  readonly silentMillis: number
}

/** How long a process sends no heartbeat before it is declared dead. */
export const failureTimeoutMillis = 6_000

/** A longer gap between two observations was this process's or the database's own delay, and is not held against the others. */
const maxGapMillis = 3_000

/**
 * Finds processes without a heartbeat for too long. Each process measures that on its own monotonic clock, from when it saw the
 * last heartbeat: clocks need not agree, and a standstill of everything makes nobody look dead.
 */
export const makeFailureDetector = () => {
  let seen: ReadonlyMap<string, ObservedHeartbeat> = new Map()
  let lookedAt: number | null = null

  return (nodes: ReadonlyArray<WorkerProcess>, nowMillis: number): ReadonlyArray<WorkerProcess> => {
    const passed = lookedAt === null ? 0 : Math.min(nowMillis - lookedAt, maxGapMillis)
    lookedAt = nowMillis
    seen = new Map(
      nodes.map(({ beat, id }) => {
        const before = seen.get(id)
        return [id, { beat, silentMillis: before?.beat === beat ? before.silentMillis + passed : 0 }]
      })
    )
    return nodes.filter(({ id }) => (seen.get(id)?.silentMillis ?? 0) >= failureTimeoutMillis)
  }
}
