import { DateTime, Effect } from "effect"
import { record } from "../../audit/index.ts"
import { Outbox, transact, useCase } from "../../kernel/index.ts"
import { Automation, type AutomationId, type AutomationPatch } from "../Automation.ts"
import { Automations } from "../Automations.ts"

/** Changes what an automation is called. */
export const updateAutomation = useCase(
  "automation.update",
  { access: { permission: "automations.manage" }, gatedBy: "automations" },
  Effect.fnUntraced(function* (id: AutomationId, patch: AutomationPatch, expectedVersion: number | null) {
    const automations = yield* Automations
    const before = yield* automations.get(id)
    const after = yield* automations.save(
      new Automation({ ...before, ...patch, updatedAt: yield* DateTime.now }),
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
    yield* (yield* Outbox).append({ type: "automation.updated", automationId: id })
    return after
  }, transact)
)
