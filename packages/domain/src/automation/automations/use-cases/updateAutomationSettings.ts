import { Effect } from "effect"
import { record } from "../../../platform/audit/index.ts"
import { EventLog } from "../../../platform/events/index.ts"
import {
  allNeeds,
  CurrentOrganization,
  Locks,
  requireReach,
  requireVersion,
  transact,
  useCase
} from "../../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { WorkflowStarts } from "../actions/WorkflowStarts.ts"
import { type Automation, type AutomationDefinition, definitionOf } from "../Automation.ts"
import { Automations } from "../Automations.ts"
import { AutomationSettings, type AutomationSettingsPatch } from "../AutomationSettings.ts"
import { needsOfAutomations } from "../needs.ts"
import { AutomationRuns } from "../runs/AutomationRuns.ts"
import { StoredAutomationSettings } from "../StoredAutomationSettings.ts"

/** Batch size for reading automations. */
const stride = 100

/** Everything that a resume continues: enabled automations, waiting runs and all workflows. */
const needsOfAll = Effect.gen(function* () {
  const automations = yield* Automations
  const definitions: Array<AutomationDefinition> = []
  let after: ReadonlyArray<string> | null = null
  while (true) {
    const page: ReadonlyArray<Automation> = yield* automations.list({ limit: stride, after })
    definitions.push(...page.filter(({ enabled }) => enabled).map(definitionOf))
    const last = page.at(-1)
    if (last === undefined || page.length < stride) break
    after = [last.id]
  }
  for (const { automationId, version } of yield* (yield* AutomationRuns).versionsUnderWay()) {
    const definition = yield* automations.definition(automationId, version)
    if (definition !== null) definitions.push(definition)
  }
  return allNeeds([yield* needsOfAutomations(definitions), yield* (yield* WorkflowStarts).needs(null)])
})

/** Pauses all automations and workflows, or resumes them. */
export const updateAutomationSettings = useCase(
  "automationSettings.update",
  { access: { permission: "automations.manage" }, gatedBy: "automations", actsThrough: "automation" },
  Effect.fnUntraced(function* ({ paused }: AutomationSettingsPatch, expectedVersion: number | null) {
    const stored = yield* StoredAutomationSettings
    yield* (yield* Locks).exclusive("automations")
    const before = yield* stored.get()
    yield* requireVersion(before, expectedVersion)
    if (paused === undefined || paused === before.paused) return before
    yield* requireReach(paused ? [] : yield* needsOfAll)
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
