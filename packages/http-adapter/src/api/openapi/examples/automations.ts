import {
  AutomationRun,
  AutomationSettings,
  AutomationView,
  cancelAutomationRun,
  createAutomation,
  createSchedule,
  deleteAutomation,
  deleteSchedule,
  disableAutomation,
  enableAutomation,
  getAutomation,
  getAutomationRun,
  getAutomationSettings,
  getSchedule,
  getScheduleStatus,
  listAutomationRuns,
  listAutomations,
  listSchedules,
  testAutomation,
  updateAutomation,
  updateAutomationSettings,
  updateSchedule,
  WeeklySchedule
} from "@parley/domain"
import type { AutomationsApi } from "../../automations.ts"
import type { SchedulesApi } from "../../schedules.ts"
import type { ExamplesOf } from "./Example.ts"
import { at, automation, automationRun, pageOf, schedule } from "./samples.ts"

const name = "Thank every returning customer"

const later = { updatedAt: at("10:00:00.000"), version: automation.version + 1 }

export const automations: ExamplesOf<typeof AutomationsApi> = {
  list: { runs: listAutomations, answer: pageOf(automation) },
  create: {
    runs: createAutomation,
    request: { name: automation.name, when: automation.when, if: automation.if, then: automation.then },
    answer: automation
  },
  get: { runs: getAutomation, answer: automation },
  update: {
    runs: updateAutomation,
    request: { name },
    answer: new AutomationView({ ...automation, ...later, name })
  },
  delete: { runs: deleteAutomation },
  enable: { runs: enableAutomation, answer: new AutomationView({ ...automation, ...later, enabled: true }) },
  disable: { runs: disableAutomation, answer: new AutomationView({ ...automation, ...later, enabled: false }) },
  test: {
    runs: testAutomation,
    request: { position: 47 },
    answer: {
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
  settings: { runs: getAutomationSettings, answer: new AutomationSettings({ paused: false, version: 1 }) },
  updateSettings: {
    runs: updateAutomationSettings,
    request: { paused: true },
    answer: new AutomationSettings({ paused: true, version: 2 })
  },
  listRuns: { runs: listAutomationRuns, answer: pageOf(automationRun) },
  getRun: { runs: getAutomationRun, answer: automationRun },
  cancelRun: { runs: cancelAutomationRun, answer: new AutomationRun({ ...automationRun, state: "cancelled" }) }
}

const { holidays, name: schedulesName, timezone, weekly } = schedule

const schedulesLater = "Support in winter"

export const schedules: ExamplesOf<typeof SchedulesApi> = {
  list: { runs: listSchedules, answer: pageOf(schedule) },
  create: { runs: createSchedule, request: { name: schedulesName, timezone, weekly, holidays }, answer: schedule },
  get: { runs: getSchedule, answer: schedule },
  status: { runs: getScheduleStatus, answer: { open: true, nextChangeAt: at("17:00:00.000") } },
  update: {
    runs: updateSchedule,
    request: { name: schedulesLater },
    answer: new WeeklySchedule({ ...schedule, name: schedulesLater, updatedAt: at("10:00:00.000"), version: 2 })
  },
  delete: { runs: deleteSchedule }
}
