import { Context, type DateTime, Effect } from "effect"
import type { CartId } from "../../../commerce/index.ts"
import type { ContactId } from "../../../crm/index.ts"
import { CurrentOrganization, type TenantScoped, type Transaction } from "../../../kernel/index.ts"
import type { ConversationId } from "../../../messaging/inbox/index.ts"
import { Lanes, organizationLane, type TaskName } from "../../../platform/background/index.ts"
import type { LoggedEvent } from "../../../platform/events/index.ts"
import type { AutomationId } from "../AutomationId.ts"
import type { WorkflowId } from "../actions/Action.ts"
import type { HoldReason } from "../runs/AutomationRun.ts"
import type { Trigger } from "../triggers/Trigger.ts"

export type TimerKind = "automation" | "workflow"

/** Automation or workflow that starts when the timer fires. */
export type TimerOwnerId = AutomationId | WorkflowId

export type TimerSubjectId = CartId | ConversationId

/** Start of a run about a conversation or a cart after a time without activity. */
export interface TriggerTimer {
  readonly kind: TimerKind
  readonly ownerId: TimerOwnerId
  readonly subjectId: TimerSubjectId
  /** Position of the event that it counts from. */
  readonly position: number
  /** Start of the time without activity. */
  readonly since: DateTime.Utc
  readonly dueAt: DateTime.Utc
}

/** Timers of the automations and workflows of the organization. */
export class TriggerTimers extends Context.Service<
  TriggerTimers,
  TenantScoped<{
    /** Sets timers. Replaces a timer of the same owner and subject, unless it has fired permanently. */
    readonly set: (clocks: ReadonlyArray<TriggerTimer>) => Effect.Effect<void, never, Transaction>
    /** Stops timers of this subject and these owners that have not fired. */
    readonly stop: (
      subjectId: TimerSubjectId,
      ownerIds: ReadonlyArray<TimerOwnerId>
    ) => Effect.Effect<void, never, Transaction>
    /** Due timers of this kind, the longest overdue first. */
    readonly due: (kind: TimerKind, now: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<TriggerTimer>>
    /** Time of the next timer of this kind; `null` if none is set. */
    readonly nextDue: (kind: TimerKind) => Effect.Effect<DateTime.Utc | null>
    /** Fires timers that are unchanged since they were read, and returns them. `forGood`: they cannot be set again. */
    readonly strike: (
      clocks: ReadonlyArray<TriggerTimer>,
      forGood: boolean
    ) => Effect.Effect<ReadonlyArray<TriggerTimer>, never, Transaction>
    /** Deletes up to `limit` permanently fired timers that counted from before the time; returns their number. */
    readonly sweep: (before: DateTime.Utc, limit: number) => Effect.Effect<number>
  }>
>()("@parley/domain/automation/automations/runs/TriggerTimers") {}

/** Trigger that starts after a time without activity. */
export type InactivityTrigger = Extract<Trigger, { readonly event: "cart.abandoned" | "conversation.idle" }>

export const isInactivityTrigger = (trigger: Trigger): trigger is InactivityTrigger =>
  trigger.event === "cart.abandoned" || trigger.event === "conversation.idle"

/** Automation or workflow that has timers. */
export interface TimerOwner {
  readonly id: TimerOwnerId
  readonly when: InactivityTrigger
  /** Log position. Events up to it do not count. */
  readonly after: number
}

/** Fired timer with its contact and the event that it counted from. */
export interface FiredTimer<Owner extends TimerOwner> {
  readonly clock: TriggerTimer
  readonly owner: Owner
  readonly contactId: ContactId
  /** Identifies the run to start. */
  readonly name: string
  readonly counted: LoggedEvent
}

/** Timer owners of one kind: the enabled ones, their common hold, and the start of runs. */
export interface TimerTriggers<Owner extends TimerOwner, Held, Found, Begun> {
  readonly kind: TimerKind
  readonly heldBecause: Effect.Effect<HoldReason | null, never, Held>
  readonly on: (event: InactivityTrigger["event"]) => Effect.Effect<ReadonlyArray<Owner>, never, Found>
  readonly begin: (struck: ReadonlyArray<FiredTimer<Owner>>) => Effect.Effect<void, never, Begun>
}

/** Names of the background tasks, by kind. */
export const timerTaskNames = {
  automation: "automation clocks",
  workflow: "workflow clocks"
} as const satisfies Readonly<Record<TimerKind, TaskName>>

/** Schedules the timer lane of this kind. Each organization has one lane per kind, because timers fire in batches. */
export const scheduleTimerLane = Effect.fnUntraced(function* (kind: TimerKind, dueAt: DateTime.Utc) {
  const { id } = yield* CurrentOrganization
  yield* (yield* Lanes).open({ ...organizationLane(timerTaskNames[kind], id), priority: "bulk", dueAt })
})
