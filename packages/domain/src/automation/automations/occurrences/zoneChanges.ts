import { Effect } from "effect"
import { defineEventConsumer } from "../../../platform/events/index.ts"
import { IdentityEvent } from "../../../platform/identity/index.ts"
import { Automations } from "../Automations.ts"
import { moveWaitingClock } from "./AutomationClocks.ts"

/** Moves the clocks that follow the time zone of the organization, after a change of the organization. */
export const resetClocksOfZone = defineEventConsumer({
  name: "automation.reset_clocks",
  schema: IdentityEvent,
  events: ["organization.updated"],
  beginsWith: "next_event",
  batch: 100,
  handle: Effect.fnUntraced(function* () {
    const scheduled = yield* (yield* Automations).enabledOn("schedule.reached")
    yield* Effect.forEach(
      scheduled,
      ({ id, when }) =>
        when.event === "schedule.reached" && when.timezone === undefined ? moveWaitingClock(id, when) : Effect.void,
      { discard: true }
    )
  })
})
