import { Context, type Effect } from "effect"
import type { NotFound, Slice, TenantScoped, Transaction, VersionConflict } from "../../kernel/index.ts"
import type { TriggerEvent, WorkflowId } from "../automations/index.ts"
import type { BeginningWorkflow, Workflow, WorkflowInForce, WorkflowVersion } from "./Workflow.ts"

/** The workflows of the organization, and their published versions. */
export class Workflows extends Context.Service<
  Workflows,
  TenantScoped<{
    readonly get: (id: WorkflowId) => Effect.Effect<Workflow, NotFound>
    /** Newest first; the key of a row is its id. */
    readonly list: (slice: Slice) => Effect.Effect<ReadonlyArray<Workflow>>
    readonly count: () => Effect.Effect<number>
    /** What those say that are active or paused, as it was published last, in the order of their ids. */
    readonly inForce: () => Effect.Effect<ReadonlyArray<WorkflowInForce>>
    /** The active ones whose published version begins on this event, in the order of their ids. */
    readonly beginningOn: (event: TriggerEvent) => Effect.Effect<ReadonlyArray<BeginningWorkflow>>
    /** Has what is logged up to this position begin no runs of it. */
    readonly beginAfter: (id: WorkflowId, position: number) => Effect.Effect<void, never, Transaction>
    readonly insert: (workflow: Workflow) => Effect.Effect<void, never, Transaction>
    /** Stores it with its version raised by one, if the stored version is still the expected one (`null`: whatever it is). */
    readonly save: (
      workflow: Workflow,
      expected: number | null
    ) => Effect.Effect<Workflow, NotFound | VersionConflict, Transaction>
    /** Removes it with its versions. */
    readonly remove: (
      id: WorkflowId,
      expected: number | null
    ) => Effect.Effect<void, NotFound | VersionConflict, Transaction>
    /** Keeps a version for good. */
    readonly publish: (id: WorkflowId, version: WorkflowVersion) => Effect.Effect<void, never, Transaction>
    /** A published version. */
    readonly version: (id: WorkflowId, number: number) => Effect.Effect<WorkflowVersion, NotFound>
    /** Newest first; the key of a row is its number. */
    readonly versions: (id: WorkflowId, slice: Slice) => Effect.Effect<ReadonlyArray<WorkflowVersion>>
  }>
>()("@parley/domain/automation/workflows/Workflows") {}
