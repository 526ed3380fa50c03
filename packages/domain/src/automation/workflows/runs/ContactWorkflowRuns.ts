import { Context, type DateTime, type Effect } from "effect"
import type { ContactId, Move, UndoneMerge } from "../../../crm/index.ts"
import type { TenantScoped, Transaction } from "../../../kernel/index.ts"
import type { WorkflowRun } from "./WorkflowRun.ts"

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
      move: Move,
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
