import { DateTime, Effect } from "effect"
import { record } from "../../../platform/audit/index.ts"
import { admitting } from "../../../platform/entitlements/index.ts"
import { Locks, nextId, requireReach, transact, useCase } from "../../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { auditedAutomation } from "../auditedAutomation.ts"
import { Automation, AutomationId, definitionOf, emptyDefinition, type NewAutomation } from "../Automation.ts"
import { Automations } from "../Automations.ts"
import { checkDefinition } from "../checks/checkDefinition.ts"
import { lockNamed } from "../lockNamed.ts"
import { needsOfAutomations } from "../needs.ts"
import { shownAutomation } from "../shownAutomations.ts"

/** Saves a new automation, switched off, after all others. */
export const createAutomation = useCase(
  "automation.create",
  { access: { permission: "automations.manage" }, gatedBy: "automations", actsThrough: "automation" },
  Effect.fnUntraced(function* (input: NewAutomation) {
    const automations = yield* Automations
    yield* (yield* Locks).exclusive("automations")
    const now = yield* DateTime.now
    const automation = new Automation({
      ...emptyDefinition,
      ...input,
      id: yield* nextId(AutomationId),
      enabled: false,
      disabledReason: null,
      position: (yield* automations.count()) + 1,
      createdAt: now,
      updatedAt: now,
      version: 1
    })
    yield* lockNamed(definitionOf(automation))
    yield* requireReach(yield* needsOfAutomations([definitionOf(automation)]))
    yield* checkDefinition(definitionOf(automation), false)
    yield* automations.insert(automation).pipe(admitting("automations"))
    yield* record(
      "automation.created",
      { kind: "automation", id: automation.id },
      { after: auditedAutomation(automation) }
    )
    yield* appendEvent({ type: "automation.created", automationId: automation.id })
    return yield* shownAutomation(automation)
  }, transact)
)
