import { DateTime, Effect } from "effect"
import { record } from "../../../platform/audit/index.ts"
import { Locks, requireVersion, transact, useCase } from "../../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { auditedAutomation } from "../auditedAutomation.ts"
import type { AutomationId } from "../Automation.ts"
import { Automations } from "../Automations.ts"
import { AutomationRuns } from "../runs/AutomationRuns.ts"
import { countCancelled } from "../runs/countEnds.ts"

/** Deletes an automation and ends its live runs, which stay readable. Later automations move up. */
export const deleteAutomation = useCase(
  "automation.delete",
  {
    access: { permission: "automations.manage" },
    gatedBy: "automations",
    ungatedFor: "operators",
    actsThrough: "nothing"
  },
  Effect.fnUntraced(function* (id: AutomationId, expectedVersion: number | null) {
    const automations = yield* Automations
    yield* (yield* Locks).exclusive("automations")
    const before = yield* automations.get(id)
    yield* requireVersion(before, expectedVersion)
    yield* automations.move(before.position, yield* automations.count())
    yield* automations.remove(id, expectedVersion)
    const cancelledRuns = yield* (yield* AutomationRuns).cancel(id, yield* DateTime.now)
    yield* countCancelled(cancelledRuns)
    yield* record(
      "automation.deleted",
      { kind: "automation", id },
      { before: auditedAutomation(before), after: { cancelledRuns } }
    )
    yield* appendEvent({ type: "automation.deleted", automationId: id, cancelledRuns })
  }, transact)
)
