import {
  AutomationRun,
  AutomationSettings,
  AutomationView,
  cancelAutomationRun,
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
  updateAutomation,
  updateAutomationSettings
} from "@parley/domain/automation"
import { AutomationsApi } from "../../../api/automations.ts"
import { at, automation, automationRun, samplePage } from "../../examples/samples.ts"
import { bind } from "../bind.ts"

const name = "Thank every returning customer"

const later = { updatedAt: at("10:00:00.000"), version: automation.version + 1 }

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
  settings: { runs: getAutomationSettings, response: new AutomationSettings({ paused: false, version: 1 }) },
  updateSettings: {
    runs: updateAutomationSettings,
    request: { paused: true },
    response: new AutomationSettings({ paused: true, version: 2 })
  },
  listRuns: { runs: listAutomationRuns, response: samplePage(automationRun) },
  getRun: { runs: getAutomationRun, response: automationRun },
  cancelRun: { runs: cancelAutomationRun, response: new AutomationRun({ ...automationRun, state: "cancelled" }) }
})
