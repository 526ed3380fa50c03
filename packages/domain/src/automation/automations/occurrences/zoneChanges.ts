import { Effect } from "effect"
import { defineEventConsumer } from "../../../platform/events/index.ts"
import { IdentityEvent } from "../../../platform/identity/index.ts"
import { Automations } from "../Automations.ts"
import { isClockTrigger, moveWaitingClock } from "./AutomationClocks.ts"

/** Moves the clocks that follow the time zone of the organization, after a change of the organization. */
export const resetClocksOfZone = defineEventConsumer({
  name: "automation.reset_clocks",
  schema: IdentityEvent,
  events: ["organization.updated"],
  beginsWith: "next_event",
  batch: 100,
  handle: Effect.fnUntraced(function* () {
    const automations = yield* Automations
    const scheduled = [
      ...(yield* automations.enabledOn("schedule.reached")),
      ...(yield* automations.enabledOn("contact.date_reached"))
    ]
    yield* Effect.forEach(
      scheduled,
      ({ id, when }) => (isClockTrigger(when) && !("timezone" in when) ? moveWaitingClock(id, when) : Effect.void),
      { discard: true }
    )
  })
})
