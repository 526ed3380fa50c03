import { Context, type DateTime, type Effect } from "effect"
import type { WorkName } from "../background/index.ts"

/** A process that works in the background. */
export interface WorkingProcess {
  readonly id: string
  /** What operators know it by. */
  readonly name: string
  readonly works: ReadonlyArray<WorkName>
  /** How many shards of a work are its own, where the work has shards. */
  readonly shards: Readonly<Record<WorkName, number>>
  readonly joinedAt: DateTime.Utc
  /** When it gave its last sign of life, by its own clock. */
  readonly seenAt: DateTime.Utc
}

/** The lanes of a work whose time has come. */
export interface DueLanes {
  readonly work: WorkName
  readonly count: number
  /** Since when the one that waits longest could be worked at. */
  readonly since: DateTime.Utc
}

/** Tells operators which processes work, and which lanes wait for one. It stands above tenants, and names none. */
export class Workforce extends Context.Service<
  Workforce,
  {
    /** All that have joined and have not left or died, from the eldest on. */
    readonly processes: Effect.Effect<ReadonlyArray<WorkingProcess>>
    readonly dueLanes: (now: DateTime.Utc) => Effect.Effect<ReadonlyArray<DueLanes>>
  }
>()("@parley/domain/platform/operations/Workforce") {}
