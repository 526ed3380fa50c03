import { DateTime, Duration, Effect } from "effect"
import type { WebhookSubscriptionId } from "../../integrations/webhooks/index.ts"
import {
  byId,
  byNothing,
  defineArea,
  eventResource,
  type EventShape,
  idIn,
  type PluginId,
  seenWith
} from "../../kernel/index.ts"
import { sweepTenants } from "../../platform/background/index.ts"
import type { ScheduleId } from "../schedules/index.ts"
import { AutomationId, AutomationView } from "./Automation.ts"
import { AutomationSettings, holdsAssignments, StoredAutomationSettings } from "./AutomationSettings.ts"
import { Automations, type NamedInDefinition } from "./Automations.ts"
import { ActionEffects } from "./actions/ActionResult.ts"
import { TriggerClocks } from "./clocks/TriggerClocks.ts"
import { automationClockLanes } from "./clocks/clockLanes.ts"
import { AutomationEvent } from "./events.ts"
import { AutomationRun, AutomationRunId } from "./runs/AutomationRun.ts"
import { AutomationRuns } from "./runs/AutomationRuns.ts"
import { automationCallEnd } from "./runs/actionResults.ts"
import { automationReactions } from "./runs/automationReactions.ts"
import { runHolding } from "./runs/contactLanes.ts"
import { automationRunLanes } from "./runs/runLanes.ts"
import { getAutomationRun } from "./use-cases/automationRuns.ts"
import { getAutomationSettings } from "./use-cases/automationSettings.ts"
import { getAutomation } from "./use-cases/automations.ts"

/** An action is performed again right after a crash, or never. */
const effectsKept = Duration.days(31)

const sweepAtOnce = 1_000

const sweepEffects = Effect.gen(function* () {
  const effects = yield* ActionEffects
  const before = DateTime.subtractDuration(yield* DateTime.now, effectsKept)
  while ((yield* effects.sweep(before, sweepAtOnce)) === sweepAtOnce) yield* Effect.yieldNow
})

/** What actions have come to is forgotten after 31 days. */
const actionWorks = [sweepTenants("action effects", sweepEffects)] as const

const runs = (event: EventShape): [AutomationId, AutomationRunId] | null => {
  const [id, runId] = [idIn(event, "automationId", AutomationId), idIn(event, "runId", AutomationRunId)]
  return id === null || runId === null ? null : [id, runId]
}

/** What the events of this area are about, as GET answers it. */
const automationResources = [
  eventResource("automation", getAutomation, AutomationView, byId("automationId", AutomationId)),
  eventResource("automations", getAutomationSettings, AutomationSettings, byNothing),
  eventResource(["automation.run_failed", "automation.run_cut"], getAutomationRun, AutomationRun, runs)
] as const

/** For how long it is kept what automations did. */
const runsKept = Duration.days(30)

/** How many runs of an automation are kept whose conditions did not hold. */
const skippedRunsKept = 100

/** For how long it is remembered that something has begun about a cart: longer than a cart can come back. */
const struckClocksKept = Duration.days(365)

const sweepRuns = Effect.gen(function* () {
  const runs = yield* AutomationRuns
  const clocks = yield* TriggerClocks
  const now = yield* DateTime.now
  const allOf = <R>(some: Effect.Effect<number, never, R>) =>
    Effect.repeat(some, { while: (swept) => swept === sweepAtOnce })
  yield* allOf(runs.sweepSkipped(skippedRunsKept, sweepAtOnce))
  yield* allOf(runs.sweep(DateTime.subtractDuration(now, runsKept), sweepAtOnce))
  yield* allOf(clocks.sweep(DateTime.subtractDuration(now, struckClocksKept), sweepAtOnce))
})

/** Runs are performed, clocks strike, and what automations did is forgotten after a month. */
const runWorks = [
  automationRunLanes,
  automationClockLanes,
  sweepTenants("automation runs", sweepRuns, "housekeeping")
] as const

/** The ports that a storage adapter provides of this area. */
const automationStorage = [ActionEffects, Automations, AutomationRuns, StoredAutomationSettings, TriggerClocks] as const

/** Every automation takes room, enabled or not. */
const automationUse = {
  limit: "automations",
  lock: "automations",
  count: Effect.flatMap(Automations, (automations) => automations.count())
} as const

const naming = Effect.fnUntraced(function* (field: NamedInDefinition, id: string) {
  const ids = yield* (yield* Automations).naming(field, id)
  return ids.map((id) => ({ kind: "automation", id }))
})

/** The automations that ask a plugin to act. */
const automationsOfPlugin = { of: (id: PluginId) => naming("pluginId", id) }

/** The automations that call a webhook subscription. */
const automationsOfSubscription = { of: (id: WebhookSubscriptionId) => naming("webhookSubscriptionId", id) }

/** The automations that go by a schedule. */
const automationsOfSchedule = { of: (id: ScheduleId) => naming("scheduleId", id) }

/** What this area says of itself. */
export const automationArea = defineArea({
  name: "automation/automations",
  storage: automationStorage,
  events: seenWith(AutomationEvent, {
    "automation.created": "automations.read",
    "automation.updated": "automations.read",
    "automation.enabled": "automations.read",
    "automation.disabled": "automations.read",
    "automation.deleted": "automations.read",
    "automations.paused": "automations.read",
    "automations.resumed": "automations.read",
    "automation.run_failed": "automations.read",
    "automation.run_cut": "automations.read"
  }),
  eventResources: automationResources,
  works: [...actionWorks, ...runWorks],
  reactions: automationReactions,
  assignmentHolds: [holdsAssignments],
  contactHoldings: [runHolding],
  pluginCallEnds: [automationCallEnd],
  permissions: ["automations.read", "automations.manage"],
  features: ["automations"],
  limitUses: [automationUse],
  pluginUses: [automationsOfPlugin],
  subscriptionUses: [automationsOfSubscription],
  scheduleUses: [automationsOfSchedule]
})
