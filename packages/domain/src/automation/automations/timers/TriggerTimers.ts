import { Context, type DateTime, Effect } from "effect"
import type { CartId } from "../../../commerce/index.ts"
import type { ContactId } from "../../../crm/index.ts"
import { CurrentOrganization, type TenantScoped, type Transaction } from "../../../kernel/index.ts"
import type { ConversationId } from "../../../messaging/inbox/index.ts"
import { Lanes, organizationLane, type TaskName } from "../../../platform/background/index.ts"
import type { LoggedEvent } from "../../../platform/events/index.ts"
import type { AutomationId } from "../Automation.ts"
import type { WorkflowId } from "../actions/Action.ts"
import type { HoldReason } from "../runs/AutomationRun.ts"
import type { Trigger } from "../triggers/Trigger.ts"

/** Whose a clock is. */
export type TimerKind = "automation" | "workflow"

/** What begins once a clock has struck. */
export type TimerOwnerId = AutomationId | WorkflowId

/** What a clock is of. */
export type TimerSubjectId = CartId | ConversationId

/** Something that begins about a conversation or a cart at a time, unless something happens in it before. */
export interface TriggerTimer {
  readonly kind: TimerKind
  readonly ownerId: TimerOwnerId
  readonly subjectId: TimerSubjectId
  /** Of the event that it counts from. */
  readonly position: number
  /** From when it counts. */
  readonly since: DateTime.Utc
  readonly dueAt: DateTime.Utc
}

/** The clocks of what begins in the organization after some time. */
export class TriggerTimers extends Context.Service<
  TriggerTimers,
  TenantScoped<{
    /** Sets clocks; one of the same owner and subject counts anew, unless it has struck for good. */
    readonly set: (clocks: ReadonlyArray<TriggerTimer>) => Effect.Effect<void, never, Transaction>
    /** Stops those of this subject for these owners that have not struck. */
    readonly stop: (
      subjectId: TimerSubjectId,
      ownerIds: ReadonlyArray<TimerOwnerId>
    ) => Effect.Effect<void, never, Transaction>
    /** Those of this kind whose time has come, the longest overdue first. */
    readonly due: (kind: TimerKind, now: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<TriggerTimer>>
    /** When the time of the next one of this kind comes; `null` when none is set. */
    readonly nextDue: (kind: TimerKind) => Effect.Effect<DateTime.Utc | null>
    /** Those that are as they were read have struck: `forGood`, they are not set again; says which of them. */
    readonly strike: (
      clocks: ReadonlyArray<TriggerTimer>,
      forGood: boolean
    ) => Effect.Effect<ReadonlyArray<TriggerTimer>, never, Transaction>
    /** Forgets those that have struck for good and counted from before then, so many at most; says how many. */
    readonly sweep: (before: DateTime.Utc, limit: number) => Effect.Effect<number>
  }>
>()("@parley/domain/automation/automations/runs/TriggerTimers") {}

/** On what something begins once nothing has happened for so long. */
export type InactivityTrigger = Extract<Trigger, { readonly event: "cart.abandoned" | "conversation.idle" }>

/** Whether it begins after some time. */
export const isInactivityTrigger = (trigger: Trigger): trigger is InactivityTrigger =>
  trigger.event === "cart.abandoned" || trigger.event === "conversation.idle"

/** What has clocks. */
export interface TimerOwner {
  readonly id: TimerOwnerId
  readonly when: InactivityTrigger
  /** The position in the log up to which nothing counts. */
  readonly after: number
}

/** A clock that has struck, for whom, and the event that it counted from. */
export interface FiredTimer<Owner extends TimerOwner> {
  readonly clock: TriggerTimer
  readonly owner: Owner
  readonly contactId: ContactId
  /** Names what begins: the same name, the same run. */
  readonly name: string
  readonly counted: LoggedEvent
}

/** Owners of one kind: which there are that begin now, what holds them all, and how one begins. */
export interface TimerTriggers<Owner extends TimerOwner, Held, Found, Begun> {
  readonly kind: TimerKind
  readonly heldBecause: Effect.Effect<HoldReason | null, never, Held>
  readonly on: (event: InactivityTrigger["event"]) => Effect.Effect<ReadonlyArray<Owner>, never, Found>
  readonly begin: (struck: ReadonlyArray<FiredTimer<Owner>>) => Effect.Effect<void, never, Begun>
}

/** What the clocks of each kind are called among the works. */
export const timerTaskNames = {
  automation: "automation clocks",
  workflow: "workflow clocks"
} as const satisfies Readonly<Record<TimerKind, TaskName>>

/** Has somebody look at the clocks of this kind then. Each organization has one lane of them: they strike in batches. */
export const scheduleTimerLane = Effect.fnUntraced(function* (kind: TimerKind, dueAt: DateTime.Utc) {
  const { id } = yield* CurrentOrganization
  yield* (yield* Lanes).open({ ...organizationLane(timerTaskNames[kind], id), priority: "bulk", dueAt })
})
