import { Effect } from "effect"
import { record } from "../../audit/index.ts"
import { EventLog } from "../../events/index.ts"
import { CurrentOrganization, Locks, requireVersion, transact, useCase } from "../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { AutomationSettings, type AutomationSettingsPatch } from "../AutomationSettings.ts"
import { StoredAutomationSettings } from "../StoredAutomationSettings.ts"

/** Pauses all automations and workflows, or lets them go on. */
export const updateAutomationSettings = useCase(
  "automationSettings.update",
  { access: { permission: "automations.manage" }, gatedBy: "automations" },
  Effect.fnUntraced(function* ({ paused }: AutomationSettingsPatch, expectedVersion: number | null) {
    const stored = yield* StoredAutomationSettings
    yield* (yield* Locks).exclusive("automations")
    const before = yield* stored.get()
    yield* requireVersion(before, expectedVersion)
    if (paused === undefined || paused === before.paused) return before
    const after = yield* stored.save(new AutomationSettings({ ...before, paused }), expectedVersion)
    if (!paused) yield* stored.resume(yield* (yield* EventLog).head())
    const type = paused ? "automations.paused" : "automations.resumed"
    const { id } = yield* CurrentOrganization
    yield* record(
      type,
      { kind: "organization", id },
      { before: { paused: before.paused }, after: { paused: after.paused } }
    )
    yield* appendEvent({ type })
    return after
  }, transact)
)
