import { Context, type DateTime, type Effect, type Schema } from "effect"
import type { ContactId, MergeStep, UndoneMerge } from "../../../crm/index.ts"
import type { NotFound, Slice, TenantScoped, Transaction } from "../../../kernel/index.ts"
import type { WorkflowId } from "../../automations/index.ts"
import type { NodeId } from "../graph/Node.ts"
import type { ExitReason, WorkflowRun, WorkflowRunId, WorkflowRunState, WorkflowStep } from "./WorkflowRun.ts"

/** How far a run has come, beside what is shown of it. */
export interface RunProgress {
  /** When it goes on; `null` where only something else has it go on, or where it is over. */
  readonly dueAt: DateTime.Utc | null
  /** Whether it rests in its node; else what the node says is still to be done. */
  readonly isResting: boolean
  /** How often it has come to each node. */
  readonly visits: Readonly<Record<string, number>>
  /** How many nodes it has come to, again and again counted each time. */
  readonly places: number
  /** What an awaited event has to be about, where that is not its contact; `null` where it knows of none. */
  readonly subject: string | null
  /** The position in the log at which it began: later events may reach its goals. */
  readonly from: number
  /** The position after which an event may be the one that it waits for. */
  readonly since: number
  /** How often the service has failed in its node. */
  readonly attempts: number
  /** Since when its action waits for a template or an account. */
  readonly heldSince: DateTime.Utc | null
  /** What it was called with. */
  readonly input: Readonly<Record<string, Schema.Json>>
}

/** A run that begins. */
export interface NewWorkflowRun {
  readonly run: WorkflowRun
  readonly progress: RunProgress
  /** Which of the organization's lanes leads its contact. */
  readonly lane: number
}

/** A run as it is kept. */
export interface StoredWorkflowRun extends NewWorkflowRun {
  /** Counts the changes: who has read another one must not write. */
  readonly revision: number
}

/** A step, and its place among those of its run. */
export interface PositionedStep {
  readonly place: number
  readonly step: WorkflowStep
}

/** A published version of a workflow. */
export interface WorkflowVersionRef {
  readonly workflowId: WorkflowId
  readonly version: number
}

/** Which runs to list; `null` means any. */
export interface WorkflowRunFilter {
  readonly states: ReadonlyArray<WorkflowRunState> | null
}

/** Who is on their way through the organization's workflows, or was. */
export class WorkflowRuns extends Context.Service<
  WorkflowRuns,
  TenantScoped<{
    readonly get: (workflowId: WorkflowId, id: WorkflowRunId) => Effect.Effect<WorkflowRun, NotFound>
    /** That run with all that is kept of it; `null` if there is none. */
    readonly find: (id: WorkflowRunId) => Effect.Effect<StoredWorkflowRun | null>
    /** Latest first. The row key is the start time, the log position of the start and the id. */
    readonly list: (
      workflowId: WorkflowId,
      filter: WorkflowRunFilter,
      slice: Slice
    ) => Effect.Effect<ReadonlyArray<StoredWorkflowRun>>
    /** What a run did, in its order. */
    readonly steps: (id: WorkflowRunId) => Effect.Effect<ReadonlyArray<WorkflowStep>>
    /**
     * Keeps a run that begins, while its workflow stays active until the unit of work ends; `false` where it is there already, another
     * one is live of the same key, or the workflow is not active any more.
     */
    readonly start: (run: NewWorkflowRun) => Effect.Effect<boolean, never, Transaction>
    /** When the last run of this key ended that had begun, also of those that are forgotten; `null` where none has. */
    readonly lastEnd: (workflowId: WorkflowId, key: string) => Effect.Effect<DateTime.Utc | null>
    /** Those of a lane that can go on, the longest due first, but none of workflows that are paused. */
    readonly next: (lane: number, now: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<StoredWorkflowRun>>
    /** When `next` has something; `null` when nothing goes on by itself. */
    readonly nextDue: (lane: number) => Effect.Effect<DateTime.Utc | null>
    /** Keeps it as it is now with these steps, unless it was changed by somebody else since it was read; says whether it did. */
    readonly save: (
      kept: StoredWorkflowRun,
      steps: ReadonlyArray<PositionedStep>
    ) => Effect.Effect<boolean, never, Transaction>
    /** The live ones of these contacts, the earliest first, which nobody else changes before the unit of work ends. */
    readonly lockLive: (
      contactIds: ReadonlyArray<ContactId>
    ) => Effect.Effect<ReadonlyArray<StoredWorkflowRun>, never, Transaction>
    /**
     * The live ones of a version, the earliest first, which nobody else changes before the unit of work ends; the key of a row is when it
     * started, and its id.
     */
    readonly lockOfVersion: (
      workflowId: WorkflowId,
      version: number,
      slice: Slice
    ) => Effect.Effect<ReadonlyArray<StoredWorkflowRun>, never, Transaction>
    /** Those of these contacts who have live ones. */
    readonly underWay: (contactIds: ReadonlyArray<ContactId>) => Effect.Effect<ReadonlySet<ContactId>>
    /** Versions with live runs, of one workflow or of all (`null`), unordered. */
    readonly versionsUnderWay: (workflowId: WorkflowId | null) => Effect.Effect<ReadonlyArray<WorkflowVersionRef>>
    /** How many live ones a workflow has. */
    readonly countLive: (workflowId: WorkflowId) => Effect.Effect<number>
    /** How many live ones of a workflow are in each node, of one of its versions or of all (`null`). */
    readonly countInNodes: (
      workflowId: WorkflowId,
      version: number | null
    ) => Effect.Effect<ReadonlyMap<NodeId, number>>
    /** Has live ones of this workflow (`null`: of all) leave, so many at most, and gives them back; none where there are no more. */
    readonly exit: (
      workflowId: WorkflowId | null,
      reason: ExitReason,
      now: DateTime.Utc,
      limit: number
    ) => Effect.Effect<ReadonlyArray<WorkflowRun>, never, Transaction>
    /** Has those go on now whose action waits for a template or an account, so many at most; says how many. Somebody is at those that it passes by. */
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
    /** Forgets what ended before then, so many at most; says how many. When it ended is remembered where `reentry` of the published version asks for it. */
    readonly sweep: (before: DateTime.Utc, limit: number) => Effect.Effect<number>
  }>
>()("@parley/domain/automation/workflows/runs/WorkflowRuns") {}

/** Runs of workflows as they are held by contacts, who are merged, told apart again and erased. */
export class ContactWorkflowRuns extends Context.Service<
  ContactWorkflowRuns,
  TenantScoped<{
    /** The contact's, the latest first. */
    readonly list: (contactId: ContactId, limit: number) => Effect.Effect<ReadonlyArray<WorkflowRun>>
    /**
     * Hands all of one contact to another, whose lane that is: whatever was by the one is by the other. Of two live ones of the same key
     * then, the older one stays, and the other has left: those are given back.
     */
    readonly handOver: (
      move: MergeStep,
      lane: number,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<WorkflowRun>, never, Transaction>
    /** Hands back the live ones that a merge had handed over; says how many. */
    readonly handBack: (undone: UndoneMerge, lane: number) => Effect.Effect<number, never, Transaction>
    /** Removes whose these were, what they were called with and what their steps came to. What was live has left, and is given back. */
    readonly forget: (
      contactIds: ReadonlyArray<ContactId>,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<WorkflowRun>, never, Transaction>
  }>
>()("@parley/domain/automation/workflows/runs/ContactWorkflowRuns") {}
