import { Context, DateTime, Effect } from "effect"
import type { ContactId } from "../../../crm/index.ts"
import { CurrentOrganization, type TenantScoped, type Transaction } from "../../../kernel/index.ts"
import { Lanes, organizationLane, type TaskName } from "../../../platform/background/index.ts"
import { Organizations } from "../../../platform/identity/index.ts"
import type { Automation } from "../Automation.ts"
import type { AutomationId } from "../AutomationId.ts"
import type { Trigger } from "../triggers/Trigger.ts"
import { nextOccurrence } from "./cronOccurrences.ts"
import { type DateTrigger, nextDateSearch } from "./dateOccurrences.ts"

/** Next occurrence of an enabled automation, or its next search for dates, with the progress through the contacts. */
export interface AutomationClock {
  readonly automationId: AutomationId
  readonly dueAt: DateTime.Utc
  /** Last processed contact of this occurrence; `null` before the first one. */
  readonly after: ContactId | null
}

/** Clocks of the automations of the organization, one per enabled automation that starts by a schedule or a date. */
export class AutomationClocks extends Context.Service<
  AutomationClocks,
  TenantScoped<{
    readonly find: (id: AutomationId) => Effect.Effect<AutomationClock | null>
    /** Due clock that is longest overdue; `null` if none is due. */
    readonly due: (now: DateTime.Utc) => Effect.Effect<AutomationClock | null>
    /** Time of the next clock; `null` without clocks. */
    readonly nextDue: () => Effect.Effect<DateTime.Utc | null>
    /** Sets the clock of an automation. Replaces an existing one. */
    readonly set: (clock: AutomationClock) => Effect.Effect<void, never, Transaction>
    /** Replaces a clock that is unchanged since it was read. Returns whether it was. */
    readonly advance: (from: AutomationClock, to: AutomationClock) => Effect.Effect<boolean, never, Transaction>
    readonly remove: (id: AutomationId) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/automation/automations/occurrences/AutomationClocks") {}

/** Trigger that starts at the times of a cron expression. */
export type ScheduledTrigger = Extract<Trigger, { readonly event: "schedule.reached" }>

/** Time zone of a trigger: its own, or the zone of the organization. */
export const zoneOfTrigger = Effect.fnUntraced(function* ({ timezone }: ScheduledTrigger) {
  return DateTime.zoneMakeNamedUnsafe(timezone ?? (yield* (yield* Organizations).current()).timezone)
})

/** Trigger with a clock. */
export type ClockTrigger = ScheduledTrigger | DateTrigger

export const isClockTrigger = (when: Trigger | null): when is ClockTrigger =>
  when?.event === "schedule.reached" || when?.event === "contact.date_reached"

/** First time of a trigger after an instant. */
const nextClockTime = Effect.fnUntraced(function* (when: ClockTrigger, after: DateTime.Utc) {
  if (when.event === "schedule.reached") return nextOccurrence(when.cron, yield* zoneOfTrigger(when), after)
  const { timezone } = yield* (yield* Organizations).current()
  return nextDateSearch(when, DateTime.zoneMakeNamedUnsafe(timezone), after)
})

/** Name of the background task. */
export const clockTaskName: TaskName = "scheduled automations"

const openLane = Effect.fnUntraced(function* (dueAt: DateTime.Utc) {
  const { id } = yield* CurrentOrganization
  yield* (yield* Lanes).open({ ...organizationLane(clockTaskName, id), priority: "bulk", dueAt })
})

/** Moves a clock that is not due yet to its first occurrence from now, for example in a new time zone. */
export const moveWaitingClock = Effect.fnUntraced(function* (automationId: AutomationId, when: ClockTrigger) {
  const clocks = yield* AutomationClocks
  const now = yield* DateTime.now
  const clock = yield* clocks.find(automationId)
  if (clock === null || DateTime.isLessThanOrEqualTo(clock.dueAt, now)) return
  const dueAt = yield* nextClockTime(when, now)
  if (yield* clocks.advance(clock, { automationId, dueAt, after: null })) yield* openLane(dueAt)
})

/** Sets the clock of an automation to its first occurrence from now. An automation without a schedule or a date has no clock. */
export const resetClock = Effect.fnUntraced(function* ({
  enabled,
  id: automationId,
  when
}: Pick<Automation, "enabled" | "id" | "when">) {
  const clocks = yield* AutomationClocks
  if (!enabled || !isClockTrigger(when)) return yield* clocks.remove(automationId)
  const dueAt = yield* nextClockTime(when, yield* DateTime.now)
  yield* clocks.set({ automationId, dueAt, after: null })
  yield* openLane(dueAt)
})
