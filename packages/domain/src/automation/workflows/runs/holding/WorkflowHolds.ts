import { Context, type DateTime, type Effect } from "effect"
import type { TenantScoped, Transaction } from "../../../../kernel/index.ts"

/** What holds all runs of an organization until somebody pays or lets it go on, and has them leave in the end. */
export type LongHold = "plan" | "suspended"

/** What holds the organization's runs, and since when. */
export interface WorkflowHold {
  readonly reason: LongHold
  readonly since: DateTime.Utc
}

/** Since when the plan, or a suspension, has held the organization's runs. */
export class WorkflowHolds extends Context.Service<
  WorkflowHolds,
  TenantScoped<{
    readonly all: () => Effect.Effect<ReadonlyArray<WorkflowHold>>
    /** Keeps since when, unless it has held them for longer. */
    readonly begin: (hold: WorkflowHold) => Effect.Effect<void, never, Transaction>
    readonly end: (reason: LongHold) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/automation/workflows/runs/holding/WorkflowHolds") {}
