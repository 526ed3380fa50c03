import { Effect } from "effect"
import { useCase } from "../../../kernel/index.ts"
import type { AutomationId } from "../Automation.ts"
import { Automations } from "../Automations.ts"
import type { AutomationRunId } from "../runs/AutomationRun.ts"
import { AutomationRuns } from "../runs/AutomationRuns.ts"
import { shownRuns } from "../runs/shownRun.ts"

/** Reads one run of an automation, also after the deletion of the automation. Reads stay open on every plan. */
export const getAutomationRun = useCase(
  "automation.getRun",
  { access: { permission: "automations.read" } },
  Effect.fnUntraced(function* (id: AutomationId, runId: AutomationRunId) {
    const run = yield* Effect.tapError((yield* AutomationRuns).get(id, runId), () =>
      Effect.flatMap(Automations, (automations) => automations.get(id))
    )
    const [shown = run] = yield* shownRuns([run])
    return shown
  })
)
