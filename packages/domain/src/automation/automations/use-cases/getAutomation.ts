import { Effect } from "effect"
import { useCase } from "../../../kernel/index.ts"
import type { AutomationId } from "../Automation.ts"
import { Automations } from "../Automations.ts"
import { shownAutomation } from "../shownAutomations.ts"

/** Reads one automation. Reads stay open on every plan. */
export const getAutomation = useCase(
  "automation.get",
  { access: { permission: "automations.read" } },
  Effect.fnUntraced(function* (id: AutomationId) {
    return yield* shownAutomation(yield* (yield* Automations).get(id))
  })
)
