import { DateTime, Effect } from "effect"
import {
  mergeRequiredPermissions,
  CurrentOrganization,
  Locks,
  requireReach,
  requireVersion,
  transact,
  useCase
} from "../../../kernel/index.ts"
import { recordAudit } from "../../../platform/audit/index.ts"
import { EventLog } from "../../../platform/events/index.ts"
import { Automation, type AutomationDefinition, definitionOf } from "../Automation.ts"
import type { AutomationId } from "../AutomationId.ts"
import { AutomationSettings, type AutomationSettingsPatch, StoredAutomationSettings } from "../AutomationSettings.ts"
import { Automations } from "../Automations.ts"
import { WorkflowStarter } from "../actions/externalActions.ts"
import { needsOfAutomations } from "../automationPermissions.ts"
import { checkDefinition, toAutomationView } from "../checks/definitionChecks.ts"
import { appendEvent } from "../events.ts"
import { AutomationRuns } from "../runs/AutomationRuns.ts"

/** Enables or disables an automation, with its audit entry and event. `admit` rejects actors without the required permissions. */
const setEnabled = <E, R>(enabled: boolean, admit: (before: Automation) => Effect.Effect<void, E, R>) =>
  Effect.fnUntraced(function* ({ id, ifVersion }: { readonly id: AutomationId; readonly ifVersion: number | null }) {
    const automations = yield* Automations
    yield* (yield* Locks).exclusive("automations")
    const type = enabled ? "automation.enabled" : "automation.disabled"
    const before = yield* automations.get(id)
    yield* requireVersion(before, ifVersion)
    yield* admit(before)
    if (before.enabled === enabled) return yield* toAutomationView(before)
    if (enabled) yield* checkDefinition(definitionOf(before), true)
    const enabledAfter = enabled ? yield* (yield* EventLog).head() : before.enabledAfter
    const after = yield* automations.save(
      new Automation({ ...before, enabled, enabledAfter, disabledReason: null, updatedAt: yield* DateTime.now }),
      ifVersion
    )
    yield* recordAudit(type, { kind: "automation", id }, { before: { enabled: before.enabled }, after: { enabled } })
    yield* appendEvent(
      enabled
        ? { type: "automation.enabled", automationId: id }
        : { type: "automation.disabled", automationId: id, disabledReason: null }
    )
    return yield* toAutomationView(after)
  }, transact)

export const enableAutomation = useCase(
  {
    name: "automation.enable",
    access: { permission: "automations.manage" },
    feature: "automations",
    actsThrough: "automation",
    audit: "automation.enabled",
    emits: ["automation.enabled"]
  },
  setEnabled(true, (before) => Effect.flatMap(needsOfAutomations([definitionOf(before)]), requireReach))
)

export const disableAutomation = useCase(
  {
    name: "automation.disable",
    access: { permission: "automations.manage" },
    feature: "automations",
    actsThrough: "nothing",
    audit: "automation.disabled",
    emits: ["automation.disabled"]
  },
  setEnabled(false, () => Effect.void)
)

export const getAutomationSettings = useCase(
  { name: "automationSettings.get", access: { permission: "automations.read" } },
  Effect.fnUntraced(function* () {
    return yield* (yield* StoredAutomationSettings).get()
  })
)

/** Batch size for reading automations. */
const batchSize = 100

/** Everything that a resume continues: enabled automations, waiting runs and all workflows. */
const collectAllPermissions = Effect.gen(function* () {
  const automations = yield* Automations
  const definitions: Array<AutomationDefinition> = []
  let after: ReadonlyArray<string> | null = null
  while (true) {
    const page: ReadonlyArray<Automation> = yield* automations.list({ limit: batchSize, after })
    definitions.push(...page.filter(({ enabled }) => enabled).map(definitionOf))
    const last = page.at(-1)
    if (last === undefined || page.length < batchSize) break
    after = [last.id]
  }
  for (const { automationId, version } of yield* (yield* AutomationRuns).versionsUnderWay()) {
    const definition = yield* automations.definition(automationId, version)
    if (definition !== null) definitions.push(definition)
  }
  return mergeRequiredPermissions([yield* needsOfAutomations(definitions), yield* (yield* WorkflowStarter).needs(null)])
})

/** Pauses all automations and workflows, or resumes them. */
export const updateAutomationSettings = useCase(
  {
    name: "automationSettings.update",
    access: { permission: "automations.manage" },
    feature: "automations",
    actsThrough: "automation",
    audit: "automations.paused",
    emits: ["automations.paused"]
  },
  Effect.fnUntraced(function* ({ paused, ifVersion }: { readonly ifVersion: number | null } & AutomationSettingsPatch) {
    const stored = yield* StoredAutomationSettings
    yield* (yield* Locks).exclusive("automations")
    const before = yield* stored.get()
    yield* requireVersion(before, ifVersion)
    if (paused === undefined || paused === before.paused) return before
    yield* requireReach(paused ? [] : yield* collectAllPermissions)
    const after = yield* stored.save(new AutomationSettings({ ...before, paused }), ifVersion)
    if (!paused) yield* stored.resume(yield* (yield* EventLog).head())
    const type = paused ? "automations.paused" : "automations.resumed"
    const { id } = yield* CurrentOrganization
    yield* recordAudit(
      type,
      { kind: "organization", id },
      { before: { paused: before.paused }, after: { paused: after.paused } }
    )
    yield* appendEvent({ type })
    return after
  }, transact)
)
