import {
  AutomationRun,
  AutomationSettings,
  AutomationView,
  cancelAutomationRun,
  cancelAutomationRuns,
  deleteTriggerUrl,
  getTriggerUrl,
  IssuedTriggerUrl,
  rotateTriggerUrl,
  type RunCount,
  TriggerUrl,
  createAutomation,
  deleteAutomation,
  disableAutomation,
  enableAutomation,
  getAutomation,
  getAutomationRun,
  getAutomationSettings,
  listAutomationRuns,
  listAutomations,
  testAutomation,
  rerunAutomationRuns,
  updateAutomation,
  updateAutomationSettings
} from "@parley/domain/automation"
import { AutomationsApi } from "../../../api/automations.ts"
import { at, automation, automationRun, samplePage, secret } from "../../examples/samples.ts"
import { queuedJob } from "../../examples/queuedJob.ts"
import { bind } from "../bind.ts"

const name = "Thank every returning customer"

const later = { updatedAt: at("10:00:00.000"), version: automation.version + 1 }

const triggerUrl = { automationId: automation.id, signed: true, createdAt: at("10:00:00.000") }

export const automations = bind(AutomationsApi, {
  list: { runs: listAutomations, response: samplePage(automation) },
  create: {
    runs: createAutomation,
    request: { name: automation.name, when: automation.when, if: automation.if, then: automation.then },
    response: automation
  },
  get: { runs: getAutomation, response: automation },
  update: {
    runs: updateAutomation,
    request: { name },
    response: new AutomationView({ ...automation, ...later, name })
  },
  delete: { runs: deleteAutomation },
  enable: { runs: enableAutomation, response: new AutomationView({ ...automation, ...later, enabled: true }) },
  disable: { runs: disableAutomation, response: new AutomationView({ ...automation, ...later, enabled: false }) },
  test: {
    runs: testAutomation,
    request: { position: 47 },
    response: {
      wouldRun: true,
      dueAt: null,
      abortReason: null,
      deletedResources: [],
      conditions: automationRun.conditions,
      actions: [
        {
          type: "set_priority",
          rendered: { type: "set_priority", priority: "high" },
          refusal: { code: "no_conversation", detail: "The contact has no unresolved conversation." }
        }
      ]
    }
  },
  getTriggerUrl: { runs: getTriggerUrl, response: new TriggerUrl(triggerUrl) },
  rotateTriggerUrl: {
    runs: rotateTriggerUrl,
    request: { signed: true },
    response: new IssuedTriggerUrl({
      ...triggerUrl,
      url: secret(
        `https://parley.example/api/v1/automations/${automation.id}/trigger/01934b0a1b2c7d3e8f4a5b6c7d8e9f00.V1zJ3mQ8xR5tYbN7kP2wLdH9sF4gC6vA0uE1iO3jT5n`
      ),
      signingSecret: secret("whsec_pT8oJ0Zb1l8wqVn1y0d3m5q7u9x2a4c6e8g0i2k4m6s=")
    })
  },
  deleteTriggerUrl: { runs: deleteTriggerUrl },
  settings: { runs: getAutomationSettings, response: new AutomationSettings({ paused: false, version: 1 }) },
  updateSettings: {
    runs: updateAutomationSettings,
    request: { paused: true },
    response: new AutomationSettings({ paused: true, version: 2 })
  },
  listRuns: { runs: listAutomationRuns, response: samplePage(automationRun) },
  getRun: { runs: getAutomationRun, response: automationRun },
  cancelRun: { runs: cancelAutomationRun, response: new AutomationRun({ ...automationRun, state: "cancelled" }) },
  cancelRuns: {
    runs: cancelAutomationRuns,
    request: { filter: { state: "queued", createdTo: at("09:30:00.000") } },
    response: queuedJob("automations.cancel_runs", 12),
    others: [{ count: 12 } satisfies RunCount]
  },
  rerunRuns: {
    runs: rerunAutomationRuns,
    request: { filter: { state: "failed", createdFrom: at("09:00:00.000") } },
    response: queuedJob("automations.rerun_runs", 12),
    others: [{ count: 12 } satisfies RunCount]
  }
})
