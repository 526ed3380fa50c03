import { Effect } from "effect"
import { useCase } from "../../../kernel/index.ts"
import { StoredAutomationSettings } from "../StoredAutomationSettings.ts"

/** Reads what holds for all automations and workflows. */
export const getAutomationSettings = useCase(
  "automationSettings.get",
  { access: { permission: "automations.read" } },
  Effect.fnUntraced(function* () {
    return yield* (yield* StoredAutomationSettings).get()
  })
)
