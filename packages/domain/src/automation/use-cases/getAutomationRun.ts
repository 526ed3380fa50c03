import { Effect } from "effect"
import { useCase } from "../../kernel/index.ts"
import type { AutomationId } from "../Automation.ts"
import { Automations } from "../Automations.ts"
import type { AutomationRunId } from "../runs/AutomationRun.ts"
import { AutomationRuns } from "../runs/AutomationRuns.ts"
import { shownRuns } from "../runs/shownRun.ts"

/** Reads what an automation did about one event, and why. Reads stay open on every plan. */
export const getAutomationRun = useCase(
  "automation.getRun",
  { access: { permission: "automations.read" } },
  Effect.fnUntraced(function* (id: AutomationId, runId: AutomationRunId) {
    yield* (yield* Automations).get(id)
    const run = yield* (yield* AutomationRuns).get(id, runId)
    const [shown = run] = yield* shownRuns([run])
    return shown
  })
)
