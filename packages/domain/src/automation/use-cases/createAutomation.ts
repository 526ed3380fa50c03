import { DateTime, Effect } from "effect"
import { record } from "../../audit/index.ts"
import { nextId, transact, useCase } from "../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { Automation, AutomationId, type NewAutomation } from "../Automation.ts"
import { Automations } from "../Automations.ts"

/** Saves a new automation, switched off. */
export const createAutomation = useCase(
  "automation.create",
  { access: { permission: "automations.manage" }, gatedBy: "automations" },
  Effect.fnUntraced(function* (input: NewAutomation) {
    const now = yield* DateTime.now
    const automation = new Automation({
      id: yield* nextId(AutomationId),
      name: input.name,
      enabled: false,
      createdAt: now,
      updatedAt: now,
      version: 1
    })
    yield* (yield* Automations).insert(automation)
    yield* record("automation.created", { kind: "automation", id: automation.id }, { after: { name: automation.name } })
    yield* appendEvent({ type: "automation.created", automationId: automation.id })
    return automation
  }, transact)
)
