import type { Effect } from "effect"
import type { ContactId } from "../../../../crm/index.ts"
import type { LoggedEvent } from "../../../../platform/events/index.ts"
import type { Trigger } from "../../triggers/Trigger.ts"
import type { HoldReason } from "../AutomationRun.ts"
import type { ClockKind, ClockOwnerId, TriggerClock } from "./TriggerClocks.ts"

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
