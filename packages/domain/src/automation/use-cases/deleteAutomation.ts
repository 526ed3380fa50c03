import { Effect } from "effect"
import { record } from "../../audit/index.ts"
import { transact, useCase } from "../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import type { AutomationId } from "../Automation.ts"
import { Automations } from "../Automations.ts"

/** Deletes an automation. */
export const deleteAutomation = useCase(
  "automation.delete",
  { access: { permission: "automations.manage" }, gatedBy: "automations" },
  Effect.fnUntraced(function* (id: AutomationId, expectedVersion: number | null) {
    const automations = yield* Automations
    const before = yield* automations.get(id)
    yield* automations.remove(id, expectedVersion)
    yield* record("automation.deleted", { kind: "automation", id }, { before: { name: before.name } })
    yield* appendEvent({ type: "automation.deleted", automationId: id })
  }, transact)
)
