import { Context, type DateTime, Effect } from "effect"
import type { CartId } from "../../../commerce/index.ts"
import type { ContactId } from "../../../crm/index.ts"
import { CurrentOrganization, type TenantScoped, type Transaction } from "../../../kernel/index.ts"
import type { ConversationId } from "../../../messaging/inbox/index.ts"
import { Lanes, organizationLane, type WorkName } from "../../../platform/background/index.ts"
import type { LoggedEvent } from "../../../platform/events/index.ts"
import type { AutomationId } from "../Automation.ts"
import type { WorkflowId } from "../actions/Action.ts"
import type { HoldReason } from "../runs/AutomationRun.ts"
import type { Trigger } from "../triggers/Trigger.ts"

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

/** On what something begins once nothing has happened for so long. */
export type ClockTrigger = Extract<Trigger, { readonly event: "cart.abandoned" | "conversation.idle" }>

/** Whether it begins after some time. */
export const isClockTrigger = (trigger: Trigger): trigger is ClockTrigger =>
  trigger.event === "cart.abandoned" || trigger.event === "conversation.idle"

/** What has clocks. */
export interface ClockOwner {
  readonly id: ClockOwnerId
  readonly when: ClockTrigger
  /** The position in the log up to which nothing counts. */
  readonly after: number
}

/** A clock that has struck, for whom, and the event that it counted from. */
export interface Struck<Owner extends ClockOwner> {
  readonly clock: TriggerClock
  readonly owner: Owner
  readonly contactId: ContactId
  /** Names what begins: the same name, the same run. */
  readonly name: string
  readonly counted: LoggedEvent
}

/** Owners of one kind: which there are that begin now, what holds them all, and how one begins. */
export interface Clockwork<Owner extends ClockOwner, Held, Found, Begun> {
  readonly kind: ClockKind
  readonly heldBecause: Effect.Effect<HoldReason | null, never, Held>
  readonly on: (event: ClockTrigger["event"]) => Effect.Effect<ReadonlyArray<Owner>, never, Found>
  readonly begin: (struck: ReadonlyArray<Struck<Owner>>) => Effect.Effect<void, never, Begun>
}

/** What the clocks of each kind are called among the works. */
export const clockWorks = {
  automation: "automation clocks",
  workflow: "workflow clocks"
} as const satisfies Readonly<Record<ClockKind, WorkName>>

/** Has somebody look at the clocks of this kind then. Each organization has one lane of them: they strike in batches. */
export const openClockLane = Effect.fnUntraced(function* (kind: ClockKind, dueAt: DateTime.Utc) {
  const { id } = yield* CurrentOrganization
  yield* (yield* Lanes).open({ ...organizationLane(clockWorks[kind], id), priority: "bulk", dueAt })
})
