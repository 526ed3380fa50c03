import {
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
  updateSchedule
} from "@parley/domain"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { expectedVersion, pageOf, runsOf } from "../../api/shapes.ts"
import { withAnswerWriters } from "../answers/answerWriters.ts"

export const layerAutomations = HttpApiBuilder.group(Api, "automations", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    list: ({ query }) => listAutomations(pageOf(query)),
    create: ({ payload }) => createAutomation(payload),
    get: ({ params }) => getAutomation(params.id),
    update: ({ headers, params, payload }) => updateAutomation(params.id, payload, expectedVersion(headers)),
    delete: ({ headers, params }) => deleteAutomation(params.id, expectedVersion(headers)),
    enable: ({ headers, params }) => enableAutomation(params.id, expectedVersion(headers)),
    disable: ({ headers, params }) => disableAutomation(params.id, expectedVersion(headers)),
    test: ({ params, payload }) => testAutomation(params.id, payload),
    listRuns: ({ params, query }) => listAutomationRuns(params.id, runsOf(query), pageOf(query)),
    getRun: ({ params }) => getAutomationRun(params.id, params.runId),
    settings: () => getAutomationSettings(),
    updateSettings: ({ headers, payload }) => updateAutomationSettings(payload, expectedVersion(headers))
  })
)

export const layerSchedules = HttpApiBuilder.group(Api, "schedules", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    list: ({ query }) => listSchedules(pageOf(query)),
    create: ({ payload }) => createSchedule(payload),
    get: ({ params }) => getSchedule(params.id),
    status: ({ params, query }) => getScheduleStatus(params.id, query.at ?? null),
    update: ({ headers, params, payload }) => updateSchedule(params.id, payload, expectedVersion(headers)),
    delete: ({ headers, params }) => deleteSchedule(params.id, expectedVersion(headers))
  })
)
