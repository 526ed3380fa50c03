import { Effect } from "effect"
import { paged, type PageRequest, useCase } from "../../../kernel/index.ts"
import type { AutomationId } from "../Automation.ts"
import { Automations } from "../Automations.ts"
import { type AutomationRunFilter, AutomationRuns } from "../runs/AutomationRuns.ts"
import { shownRuns } from "../runs/shownRun.ts"

/** Fails for an unknown automation, and for a deleted one without runs. */
const requireKnown = Effect.fnUntraced(function* (id: AutomationId) {
  const found = yield* Effect.result((yield* Automations).get(id))
  if (found._tag === "Success") return
  const [run] = yield* (yield* AutomationRuns).list(id, { state: null }, { limit: 1, after: null })
  if (run === undefined) return yield* found.failure
})

/** Lists the runs of an automation by event position, newest first, also after its deletion. Reads stay open on every plan. */
export const listAutomationRuns = useCase(
  "automation.listRuns",
  { access: { permission: "automations.read" } },
  Effect.fnUntraced(function* (id: AutomationId, filter: AutomationRunFilter, page: PageRequest) {
    yield* requireKnown(id)
    const runs = yield* AutomationRuns
    const { data, nextCursor } = yield* paged(
      `automation_runs_by_event/${id}`,
      page,
      (slice) => runs.list(id, filter, slice),
      ({ event: { position }, id: runId }) => [String(position), runId]
    )
    return { data: yield* shownRuns(data), nextCursor }
  })
)
