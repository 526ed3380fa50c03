import { Context, type DateTime, type Effect, Schema } from "effect"
import type { ContactId, MergeStep, UndoneMerge } from "../../../crm/index.ts"
import type { NotFound, Slice, TenantScoped, Transaction } from "../../../kernel/index.ts"
import { RerunSelection, runSelectionFields, type WorkflowId } from "../../automations/index.ts"
import type { WorkflowStatus } from "../workflowTransitions.ts"
import type { NodeId } from "../graph/Node.ts"
import {
  type ExitReason,
  type WorkflowRun,
  type WorkflowRunId,
  WorkflowRunState,
  type WorkflowStep
} from "./WorkflowRun.ts"

/** Internal progress of a run. */
export interface RunProgress {
  /** Time when the run continues; `null` if only an event or a call continues it, or it has ended. */
  readonly dueAt: DateTime.Utc | null
  /** Whether the run waits in its node. If not, the node is still to be executed. */
  readonly isResting: boolean
  /** Number of visits per node. */
  readonly visits: Readonly<Record<string, number>>
  /** Number of entered nodes, including repeated visits. */
  readonly places: number
  /** Subject that an awaited event must match, if it is not the contact; `null` if unknown. */
  readonly subject: string | null
  /** Log position of the start. Later events can reach its goals. */
  readonly from: number
  /** Log position after which an event can be the awaited one. */
  readonly since: number
  /** Number of service errors in the current node. */
  readonly attempts: number
  /** Start of the wait for a template or an account. */
  readonly heldSince: DateTime.Utc | null
}

/** New run to store. */
export interface NewWorkflowRun {
  readonly run: WorkflowRun
  readonly progress: RunProgress
  /** Lane of the organization that advances the runs of this contact. */
  readonly lane: number
}

/** Run as stored. */
export interface StoredWorkflowRun extends NewWorkflowRun {
  /** Incremented by each change. A write with another revision is rejected. */
  readonly revision: number
}

/** Step with its position in the run. */
export interface PositionedStep {
  readonly place: number
  readonly step: WorkflowStep
}

/** Node of a workflow version. */
export interface WorkflowNodeRef {
  readonly workflowId: WorkflowId
  readonly version: number
  readonly node: NodeId
}

export interface WorkflowVersionRef {
  readonly workflowId: WorkflowId
  readonly version: number
}

/** Filter for runs; `null` means any. `position`: of the event that started the run. */
export interface WorkflowRunFilter {
  readonly states: ReadonlyArray<WorkflowRunState> | null
  readonly contactId: ContactId | null
  readonly position: number | null
}

/** Run of a contact with its workflow; `null` after the deletion of the workflow. */
export interface ContactWorkflowRun {
  readonly run: WorkflowRun
  readonly name: string | null
  readonly status: WorkflowStatus | null
}

/** Runs of a workflow that a job handles. */
export const WorkflowRunSelection = Schema.Struct({
  states: Schema.Array(WorkflowRunState),
  rerun: RerunSelection,
  ...runSelectionFields
})
export type WorkflowRunSelection = typeof WorkflowRunSelection.Type

/** Live and ended runs of the organization's workflows. */
export class WorkflowRuns extends Context.Service<
  WorkflowRuns,
  TenantScoped<{
    readonly get: (workflowId: WorkflowId, id: WorkflowRunId) => Effect.Effect<WorkflowRun, NotFound>
    /** Finds a run with its progress; `null` if it does not exist. */
    readonly find: (id: WorkflowRunId) => Effect.Effect<StoredWorkflowRun | null>
    /** Latest first. The row key is the start time, the log position of the start and the id. */
    readonly list: (
      workflowId: WorkflowId,
      filter: WorkflowRunFilter,
      slice: Slice
    ) => Effect.Effect<ReadonlyArray<StoredWorkflowRun>>
    /** Steps of a run, in order. */
    readonly steps: (id: WorkflowRunId) => Effect.Effect<ReadonlyArray<WorkflowStep>>
    /**
     * Stores a new run, and keeps its workflow active until the unit of work ends. Returns `false` if the run exists,
     * the key has another live run, or the workflow is not active.
     */
    readonly start: (run: NewWorkflowRun) => Effect.Effect<boolean, never, Transaction>
    /** End of the last started run of this key, including deleted runs; `null` if there is none. */
    readonly lastEnd: (workflowId: WorkflowId, key: string) => Effect.Effect<DateTime.Utc | null>
    /** Due runs of a lane, the longest due first. Runs of paused workflows are excluded. */
    readonly next: (lane: number, now: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<StoredWorkflowRun>>
    /** Time of the next due run; `null` if no run continues automatically. */
    readonly nextDue: (lane: number) => Effect.Effect<DateTime.Utc | null>
    /** Saves a run with these steps. Returns `false` if another process changed it after it was read. */
    readonly save: (
      kept: StoredWorkflowRun,
      steps: ReadonlyArray<PositionedStep>
    ) => Effect.Effect<boolean, never, Transaction>
    /** Live runs of these contacts, earliest first, locked until the unit of work ends. */
    readonly lockLive: (
      contactIds: ReadonlyArray<ContactId>
    ) => Effect.Effect<ReadonlyArray<StoredWorkflowRun>, never, Transaction>
    /** Live runs of a version, earliest first, locked until the unit of work ends. The row key is the start time and the id. */
    readonly lockOfVersion: (
      workflowId: WorkflowId,
      version: number,
      slice: Slice
    ) => Effect.Effect<ReadonlyArray<StoredWorkflowRun>, never, Transaction>
    readonly countSelected: (workflowId: WorkflowId, selection: WorkflowRunSelection) => Effect.Effect<number>
    /** Selected runs, earliest first, locked until the unit of work ends. The row key is the start time and the id. */
    readonly lockSelected: (
      workflowId: WorkflowId,
      selection: WorkflowRunSelection,
      slice: Slice
    ) => Effect.Effect<ReadonlyArray<StoredWorkflowRun>, never, Transaction>
    /** Contacts among these with live runs. */
    readonly underWay: (contactIds: ReadonlyArray<ContactId>) => Effect.Effect<ReadonlySet<ContactId>>
    /** Versions with live runs, of one workflow or of all (`null`), unordered. */
    readonly versionsUnderWay: (workflowId: WorkflowId | null) => Effect.Effect<ReadonlyArray<WorkflowVersionRef>>
    readonly countLive: (workflowId: WorkflowId) => Effect.Effect<number>
    /** Number of live runs per node, of one version or of all (`null`). */
    readonly countInNodes: (
      workflowId: WorkflowId,
      version: number | null
    ) => Effect.Effect<ReadonlyMap<NodeId, number>>
    /**
     * Exits up to `limit` live runs of this workflow, or of all workflows (`null`), and returns them. Returns none if
     * no run is left.
     */
    readonly exit: (
      workflowId: WorkflowId | null,
      reason: ExitReason,
      now: DateTime.Utc,
      limit: number
    ) => Effect.Effect<ReadonlyArray<WorkflowRun>, never, Transaction>
    /**
     * Makes up to `limit` runs due that wait for a template or an account; returns their number. Skips runs that
     * another transaction locks.
     */
    readonly letGoOn: (
      reason: "template" | "account",
      now: DateTime.Utc,
      limit: number
    ) => Effect.Effect<number, never, Transaction>
    /**
     * Makes runs due that wait for the end of quiet hours: up to `limit` runs of these contacts, or of all contacts (`null`). Returns the lane of
     * each. Skips runs that another transaction locks.
     */
    readonly recall: (
      contactIds: ReadonlyArray<ContactId> | null,
      now: DateTime.Utc,
      limit: number
    ) => Effect.Effect<ReadonlyArray<number>, never, Transaction>
    /**
     * Makes up to `limit` runs due that wait in one of these nodes until a later time. Their wake time stays, because it shows that the wait has not
     * ended. Returns the lane of each.
     */
    readonly recallFrom: (
      nodes: ReadonlyArray<WorkflowNodeRef>,
      now: DateTime.Utc,
      limit: number
    ) => Effect.Effect<ReadonlyArray<number>, never, Transaction>
    /**
     * Deletes up to `limit` runs that ended before the time; returns their number. End times that `reentry` of the
     * published version needs are preserved.
     */
    readonly sweep: (before: DateTime.Utc, limit: number) => Effect.Effect<number>
  }>
>()("@parley/domain/automation/workflows/runs/WorkflowRuns") {}

/** Runs of contacts, for merge, undone merge and erasure. */
export class ContactWorkflowRuns extends Context.Service<
  ContactWorkflowRuns,
  TenantScoped<{
    /** Runs of the contact, latest first. The row key is the start time and the id. */
    readonly list: (contactId: ContactId, slice: Slice) => Effect.Effect<ReadonlyArray<ContactWorkflowRun>>
    /** The latest steps of these runs, at most `limit` each, in order. Runs without steps are absent. */
    readonly latestSteps: (
      ids: ReadonlyArray<WorkflowRunId>,
      limit: number
    ) => Effect.Effect<ReadonlyMap<WorkflowRunId, ReadonlyArray<WorkflowStep>>>
    /**
     * Moves all runs of a contact to another contact and its lane; keys of the first contact are replaced. Of two
     * live runs with the same key, the older one stays, and the other exits. Returns the exited runs.
     */
    readonly handOver: (
      move: MergeStep,
      lane: number,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<WorkflowRun>, never, Transaction>
    /** Returns the live runs that a merge had moved; returns their number. */
    readonly handBack: (undone: UndoneMerge, lane: number) => Effect.Effect<number, never, Transaction>
    /** Removes the contact, the input and the step results. Exits live runs and returns them. */
    readonly forget: (
      contactIds: ReadonlyArray<ContactId>,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<WorkflowRun>, never, Transaction>
  }>
>()("@parley/domain/automation/workflows/runs/ContactWorkflowRuns") {}
