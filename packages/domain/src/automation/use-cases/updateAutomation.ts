import { DateTime, Effect } from "effect"
import { record } from "../../audit/index.ts"
import { Locks, requireVersion, transact, useCase } from "../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { Automation, type AutomationId, type AutomationPatch } from "../Automation.ts"
import { Automations } from "../Automations.ts"

/** Changes what an automation is called. */
export const updateAutomation = useCase(
  "automation.update",
  { access: { permission: "automations.manage" }, gatedBy: "automations" },
  Effect.fnUntraced(function* (id: AutomationId, patch: AutomationPatch, expectedVersion: number | null) {
    const automations = yield* Automations
    yield* (yield* Locks).exclusive("automations")
    const before = yield* automations.get(id)
    yield* requireVersion(before, expectedVersion)
    const { name = before.name } = patch
    if (name === before.name) return before
    const after = yield* automations.save(
      new Automation({ ...before, name, updatedAt: yield* DateTime.now }),
      expectedVersion
    )
    yield* record(
      "automation.updated",
      { kind: "automation", id },
      {
        before: { name: before.name },
        after: { name: after.name }
      }
    )
    yield* appendEvent({ type: "automation.updated", automationId: id })
    return after
  }, transact)
)
