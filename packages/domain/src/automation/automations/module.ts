import { DateTime, Duration, Effect } from "effect"
import {
  idInput,
  noInput,
  defineArea,
  defineCredentials,
  defineEventResource,
  type EventShape,
  decodeIdField,
  defineEvents
} from "../../kernel/index.ts"
import { sweepOrganizations } from "../../platform/background/index.ts"
import { AutomationView } from "./Automation.ts"
import { AutomationId } from "./AutomationId.ts"
import { AutomationSettings, StoredAutomationSettings } from "./AutomationSettings.ts"
import { Automations, type ReferenceField } from "./Automations.ts"
import { actionEffectData, ActionEffects } from "./actions/ActionResult.ts"
import { cancelAutomationRunsJob } from "./cancelRunsJob.ts"
import { rerunAutomationRunsJob } from "./rerunRunsJob.ts"
import { TriggerTimers } from "./timers/TriggerTimers.ts"
import { automationTimerLaneWorker } from "./timers/timerLanes.ts"
import { AutomationClocks } from "./occurrences/AutomationClocks.ts"
import { automationClockLaneWorker } from "./occurrences/clockLanes.ts"
import { AutomationEvent } from "./events.ts"
import { AutomationRun, AutomationRunId } from "./runs/AutomationRun.ts"
import { AutomationRuns } from "./runs/AutomationRuns.ts"
import { automationCallListener } from "./runs/actionResults.ts"
import { automationEventConsumers } from "./runs/automationEventConsumers.ts"
import { automationRunData } from "./runs/contactLanes.ts"
import { automationRunLaneWorker } from "./runs/runLanes.ts"
import { httpCallData, HttpCalls } from "./requests/HttpCall.ts"
import { httpCallTasks } from "./requests/httpCallLanes.ts"
import { triggerCallData, TriggerCalls } from "./triggerUrls/TriggerCalls.ts"
import { triggerSecrets, TriggerUrls } from "./triggerUrls/TriggerUrl.ts"
import { getAutomationRun } from "./use-cases/automationRuns.ts"
import { getAutomationSettings } from "./use-cases/automationSettings.ts"
import { getAutomation } from "./use-cases/automations.ts"

/** Retries of an action follow soon after a crash, or never. */
const effectRetention = Duration.days(31)

const sweepBatchSize = 1_000

const sweepEffects = Effect.gen(function* () {
  const effects = yield* ActionEffects
  const before = DateTime.subtractDuration(yield* DateTime.now, effectRetention)
  while ((yield* effects.sweep(before, sweepBatchSize)) === sweepBatchSize) yield* Effect.yieldNow
})

/** Deletes effects of actions after 31 days. */
const actionTasks = [sweepOrganizations("action effects", sweepEffects)] as const

const runInput = (event: EventShape): { readonly id: AutomationId; readonly runId: AutomationRunId } | null => {
  const [id, runId] = [
    decodeIdField(event, "automationId", AutomationId),
    decodeIdField(event, "runId", AutomationRunId)
  ]
  return id === null || runId === null ? null : { id, runId }
}

/** Resources of the events of this area, as GET returns them. */
const automationResources = [
  defineEventResource("automation", getAutomation, AutomationView, idInput("automationId", AutomationId)),
  defineEventResource("automations", getAutomationSettings, AutomationSettings, noInput),
  defineEventResource(
    ["automation.run_failed", "automation.run_aborted", "automation.run_cancelled"],
    getAutomationRun,
    AutomationRun,
    runInput
  )
] as const

const runRetention = Duration.days(30)

/** Number of stored runs per automation whose conditions did not hold. */
const maxSkippedRuns = 100

/** Retention of fired cart timers. It exceeds the time until a cart can return. */
const firedTimerRetention = Duration.days(365)

const sweepRuns = Effect.gen(function* () {
  const runs = yield* AutomationRuns
  const clocks = yield* TriggerTimers
  const now = yield* DateTime.now
  const allOf = <R>(some: Effect.Effect<number, never, R>) =>
    Effect.repeat(some, { while: (swept) => swept === sweepBatchSize })
  yield* allOf(runs.sweepSkipped(maxSkippedRuns, sweepBatchSize))
  yield* allOf(runs.sweep(DateTime.subtractDuration(now, runRetention), sweepBatchSize))
  yield* allOf((yield* TriggerCalls).sweep(DateTime.subtractDuration(now, effectRetention), sweepBatchSize))
  yield* allOf(clocks.sweep(DateTime.subtractDuration(now, firedTimerRetention), sweepBatchSize))
})

/** Background tasks: perform runs, fire timers, start scheduled automations, and delete runs after 30 days. */
const runTasks = [
  automationRunLaneWorker,
  automationTimerLaneWorker,
  automationClockLaneWorker,
  sweepOrganizations("automation runs", sweepRuns, "housekeeping")
] as const

const automationStorage = [
  ActionEffects,
  AutomationClocks,
  Automations,
  AutomationRuns,
  HttpCalls,
  StoredAutomationSettings,
  TriggerCalls,
  TriggerTimers,
  TriggerUrls
] as const

/** Every automation counts against the limit, enabled or not. */
const automationUsage = {
  limit: "automations",
  lock: "automations",
  count: Effect.flatMap(Automations, (automations) => automations.count())
} as const

const findAutomationsWith = Effect.fnUntraced(function* (field: ReferenceField, id: string) {
  const ids = yield* (yield* Automations).naming(field, id)
  return ids.map((id) => ({ kind: "automation", id }))
})

const automationDependents = [
  { of: "plugin", find: (id: string) => findAutomationsWith("pluginId", id) },
  { of: "webhook_subscription", find: (id: string) => findAutomationsWith("webhookSubscriptionId", id) },
  { of: "schedule", find: (id: string) => findAutomationsWith("scheduleId", id) }
] as const

export const automationArea = defineArea({
  name: "automation/automations",
  storage: automationStorage,
  events: defineEvents(AutomationEvent, {
    "automation.created": "automations.read",
    "automation.updated": "automations.read",
    "automation.enabled": "automations.read",
    "automation.disabled": "automations.read",
    "automation.deleted": "automations.read",
    "automations.paused": "automations.read",
    "automations.resumed": "automations.read",
    "automation.run_failed": "automations.read",
    "automation.run_aborted": "automations.read",
    "automation.run_cancelled": "automations.read",
    "automation.triggered": "automations.read",
    "automation.due": "automations.read"
  }),
  eventResources: automationResources,
  backgroundTasks: [...actionTasks, ...httpCallTasks, ...runTasks],
  jobs: [cancelAutomationRunsJob, rerunAutomationRunsJob],
  eventConsumers: automationEventConsumers,
  contactDataOwners: [automationRunData, actionEffectData, triggerCallData, httpCallData],
  actionCallEnds: [automationCallListener],
  permissions: ["automations.read", "automations.manage"],
  features: ["automations"],
  limitUses: [automationUsage],
  dependents: automationDependents,
  credentials: defineCredentials({
    name: "automation trigger URL",
    parent: { kind: "record", name: "automation", reason: "It is deleted with its automation." }
  }),
  sealedValues: [triggerSecrets]
})
