import { DateTime, Effect, Equal } from "effect"
import { record } from "../../../platform/audit/index.ts"
import { Locks, requireReach, requireVersion, transact, useCase } from "../../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { auditedAutomation } from "../auditedAutomation.ts"
import { Automation, type AutomationId, type AutomationPatch, definitionOf } from "../Automation.ts"
import { Automations } from "../Automations.ts"
import { checkDefinition } from "../checks/checkDefinition.ts"
import { lockNamed } from "../lockNamed.ts"
import { needsOfAutomations } from "../needs.ts"
import { shownAutomation } from "../shownAutomations.ts"

/** Changes an automation. What runs already keeps to the version that it began with. */
export const updateAutomation = useCase(
  "automation.update",
  { access: { permission: "automations.manage" }, gatedBy: "automations", actsThrough: "automation" },
  Effect.fnUntraced(function* (id: AutomationId, patch: AutomationPatch, expectedVersion: number | null) {
    const automations = yield* Automations
    yield* (yield* Locks).exclusive("automations")
    const before = yield* automations.get(id)
    yield* requireVersion(before, expectedVersion)
    const position = Math.min(patch.position ?? before.position, yield* automations.count())
    const draft = new Automation({ ...before, ...patch, position })
    const isRedefined = !Equal.equals(definitionOf(draft), definitionOf(before))
    // A change of name or place does not affect the required permissions.
    if (isRedefined) {
      yield* requireReach(yield* needsOfAutomations([definitionOf(draft)]))
      yield* lockNamed(definitionOf(draft))
      yield* checkDefinition(definitionOf(draft), draft.enabled)
    }
    if (Equal.equals(auditedAutomation(draft), auditedAutomation(before))) return yield* shownAutomation(before)
    yield* automations.move(before.position, position)
    const after = yield* automations.save(new Automation({ ...draft, updatedAt: yield* DateTime.now }), expectedVersion)
    yield* record(
      "automation.updated",
      { kind: "automation", id },
      { before: auditedAutomation(before), after: auditedAutomation(after) }
    )
    yield* appendEvent({ type: "automation.updated", automationId: id })
    return yield* shownAutomation(after)
  }, transact)
)
