import { Context, type DateTime, type Effect } from "effect"
import type { OwnedShard, WorkName } from "./Lane.ts"

/** A process that works. */
export interface WorkNode {
  readonly id: string
  readonly works: ReadonlyArray<WorkName>
  /** Goes up with each of its signs of life. */
  readonly beat: number
}

/** Who works, and what is one's own. */
export interface Ownership {
  readonly nodes: ReadonlyArray<WorkNode>
  readonly owned: ReadonlyArray<OwnedShard>
}

/** Which process owns which shards of which work. It stands above tenants, and never waits for those who work. */
export class Shards extends Context.Service<
  Shards,
  {
    /** From now on the process is one of those that share these works. */
    readonly join: (node: {
      readonly id: string
      /** What operators know it by. */
      readonly name: string
      readonly works: ReadonlyArray<WorkName>
      /** What it does besides, which has no shards: for operators to see. */
      readonly also?: ReadonlyArray<WorkName>
      readonly now: DateTime.Utc
    }) => Effect.Effect<void>
    /** A sign of life. `null` when the process was declared dead: then nothing is its own any more. */
    readonly renew: (id: string, now: DateTime.Utc) => Effect.Effect<Ownership | null>
    /** Declares a process dead, unless it has given a sign of life since that beat. Its shards are anybody's. */
    readonly expire: (id: string, beat: number) => Effect.Effect<boolean>
    /** Claims up to so many shards that no living process owns; each with a higher fence than ever before. */
    readonly claim: (id: string, work: WorkName, count: number) => Effect.Effect<ReadonlyArray<OwnedShard>>
    /** Gives shards back: they are anybody's. What is not its own any more stays as it is. */
    readonly release: (id: string, shards: ReadonlyArray<OwnedShard>) => Effect.Effect<void>
    /** The process works no more: all that it owns is anybody's. */
    readonly leave: (id: string) => Effect.Effect<void>
    /** Answers when a process may have come or gone, or given shards back; it may answer for nothing. */
    readonly awaitNews: Effect.Effect<void>
  }
>()("@parley/domain/work/Shards") {}
