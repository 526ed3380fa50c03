import { DateTime, Effect } from "effect"
import { record } from "../../platform/audit/index.ts"
import { EventLog } from "../../platform/events/index.ts"
import { Locks, requireVersion, transact } from "../../kernel/index.ts"
import { appendEvent } from "./appendEvent.ts"
import { Automation, type AutomationId, definitionOf } from "./Automation.ts"
import { Automations } from "./Automations.ts"
import { checkDefinition } from "./checks/checkDefinition.ts"
import { shownAutomation } from "./shownAutomations.ts"

/** Enables or disables an automation, with its audit entry and event. `admit` rejects actors without the required permissions. */
export const switchTo = <E, R>(enabled: boolean, admit: (before: Automation) => Effect.Effect<void, E, R>) =>
  Effect.fnUntraced(function* (id: AutomationId, expectedVersion: number | null) {
    const automations = yield* Automations
    yield* (yield* Locks).exclusive("automations")
    const type = enabled ? "automation.enabled" : "automation.disabled"
    const before = yield* automations.get(id)
    yield* requireVersion(before, expectedVersion)
    yield* admit(before)
    if (before.enabled === enabled) return yield* shownAutomation(before)
    if (enabled) yield* checkDefinition(definitionOf(before), true)
    const enabledAfter = enabled ? yield* (yield* EventLog).head() : before.enabledAfter
    const after = yield* automations.save(
      new Automation({ ...before, enabled, enabledAfter, disabledReason: null, updatedAt: yield* DateTime.now }),
      expectedVersion
    )
    yield* record(type, { kind: "automation", id }, { before: { enabled: before.enabled }, after: { enabled } })
    yield* appendEvent({ type, automationId: id })
    return yield* shownAutomation(after)
  }, transact)
