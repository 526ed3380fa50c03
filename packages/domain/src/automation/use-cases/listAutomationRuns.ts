import { DateTime, Effect } from "effect"
import { paged, type PageRequest, useCase } from "../../kernel/index.ts"
import type { AutomationId } from "../Automation.ts"
import { Automations } from "../Automations.ts"
import { type AutomationRunFilter, AutomationRuns } from "../runs/AutomationRuns.ts"
import { shownRuns } from "../runs/shownRun.ts"

/** Reads what an automation did, does and is to do, the latest first. Reads stay open on every plan. */
export const listAutomationRuns = useCase(
  "automation.listRuns",
  { access: { permission: "automations.read" } },
  Effect.fnUntraced(function* (id: AutomationId, filter: AutomationRunFilter, page: PageRequest) {
    yield* (yield* Automations).get(id)
    const runs = yield* AutomationRuns
    const { data, nextCursor } = yield* paged(
      `automation_runs/${id}`,
      page,
      (slice) => runs.list(id, filter, slice),
      ({ createdAt, id: runId }) => [DateTime.formatIso(createdAt), runId]
    )
    return { data: yield* shownRuns(data), nextCursor }
  })
)
