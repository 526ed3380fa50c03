import { Context, type DateTime, type Effect } from "effect"
import type { CartId } from "../../../../commerce/index.ts"
import type { ConversationId } from "../../../../messaging/inbox/index.ts"
import type { TenantScoped, Transaction } from "../../../../kernel/index.ts"
import type { WorkflowId } from "../../actions/Action.ts"
import type { AutomationId } from "../../Automation.ts"

/** Whose a clock is. */
export type ClockKind = "automation" | "workflow"

/** What begins once a clock has struck. */
export type ClockOwnerId = AutomationId | WorkflowId

/** What a clock is of. */
export type ClockSubject = CartId | ConversationId

/** Something that begins about a conversation or a cart at a time, unless something happens in it before. */
export interface TriggerClock {
  readonly kind: ClockKind
  readonly ownerId: ClockOwnerId
  readonly subjectId: ClockSubject
  /** Of the event that it counts from. */
  readonly position: number
  /** From when it counts. */
  readonly since: DateTime.Utc
  readonly dueAt: DateTime.Utc
}

/** The clocks of what begins in the organization after some time. */
export class TriggerClocks extends Context.Service<
  TriggerClocks,
  TenantScoped<{
    /** Sets clocks; one of the same owner and subject counts anew, unless it has struck for good. */
    readonly set: (clocks: ReadonlyArray<TriggerClock>) => Effect.Effect<void, never, Transaction>
    /** Stops those of this subject for these owners that have not struck. */
    readonly stop: (
      subjectId: ClockSubject,
      ownerIds: ReadonlyArray<ClockOwnerId>
    ) => Effect.Effect<void, never, Transaction>
    /** Those of this kind whose time has come, the longest overdue first. */
    readonly due: (kind: ClockKind, now: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<TriggerClock>>
    /** When the time of the next one of this kind comes; `null` when none is set. */
    readonly nextDue: (kind: ClockKind) => Effect.Effect<DateTime.Utc | null>
    /** Those that are as they were read have struck: `forGood`, they are not set again; says which of them. */
    readonly strike: (
      clocks: ReadonlyArray<TriggerClock>,
      forGood: boolean
    ) => Effect.Effect<ReadonlyArray<TriggerClock>, never, Transaction>
    /** Forgets those that have struck for good and counted from before then, so many at most; says how many. */
    readonly sweep: (before: DateTime.Utc, limit: number) => Effect.Effect<number>
  }>
>()("@parley/domain/automation/automations/runs/TriggerClocks") {}
