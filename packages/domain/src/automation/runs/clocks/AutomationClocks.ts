import { Context, type DateTime, type Effect } from "effect"
import type { CartId } from "../../../stores/index.ts"
import type { ConversationId } from "../../../inbox/index.ts"
import type { TenantScoped, Transaction } from "../../../kernel/index.ts"
import type { AutomationId } from "../../Automation.ts"

/** What a clock is of. */
export type ClockSubject = CartId | ConversationId

/** Something that an automation does about a conversation or a cart at a time, unless something happens in it before. */
export interface AutomationClock {
  readonly automationId: AutomationId
  readonly subjectId: ClockSubject
  /** Of the event that it counts from. */
  readonly position: number
  /** From when it counts. */
  readonly since: DateTime.Utc
  readonly dueAt: DateTime.Utc
}

/** The clocks of the organization's automations. */
export class AutomationClocks extends Context.Service<
  AutomationClocks,
  TenantScoped<{
    /** Sets clocks; one of the same automation and subject counts anew, unless it has struck for good. */
    readonly set: (clocks: ReadonlyArray<AutomationClock>) => Effect.Effect<void, never, Transaction>
    /** Stops those of this subject for these automations that have not struck. */
    readonly stop: (
      subjectId: ClockSubject,
      automationIds: ReadonlyArray<AutomationId>
    ) => Effect.Effect<void, never, Transaction>
    /** Those whose time has come, the longest overdue first. */
    readonly due: (now: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<AutomationClock>>
    /** When the time of the next one comes; `null` when none is set. */
    readonly nextDue: () => Effect.Effect<DateTime.Utc | null>
    /** Those that are as they were read have struck: `forGood`, they are not set again; says which of them. */
    readonly strike: (
      clocks: ReadonlyArray<AutomationClock>,
      forGood: boolean
    ) => Effect.Effect<ReadonlyArray<AutomationClock>, never, Transaction>
    /** Forgets those that have struck for good and counted from before then, so many at most; says how many. */
    readonly sweep: (before: DateTime.Utc, limit: number) => Effect.Effect<number>
  }>
>()("@parley/domain/automation/runs/AutomationClocks") {}
