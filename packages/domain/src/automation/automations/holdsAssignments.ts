import { Effect } from "effect"
import { StoredAutomationSettings } from "./StoredAutomationSettings.ts"

/** While automations are paused, what waits to be handed out waits on. */
export const holdsAssignments = {
  isHeld: Effect.gen(function* () {
    return (yield* (yield* StoredAutomationSettings).get()).paused
  })
}
