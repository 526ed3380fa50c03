import {
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
  updateSchedule
} from "@parley/domain"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { expectedVersion, pageOf, runsOf } from "../../api/shapes.ts"
import { withAnswerWriters } from "../answers/answerWriters.ts"

export const layerAutomations = HttpApiBuilder.group(Api, "automations", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    list: ({ query }) => listAutomations({ page: pageOf(query) }),
    create: ({ payload }) => createAutomation(payload),
    get: ({ params }) => getAutomation(params),
    update: ({ headers, params, payload }) =>
      updateAutomation({ ...params, ...payload, ifVersion: expectedVersion(headers) }),
    delete: ({ headers, params }) => deleteAutomation({ ...params, ifVersion: expectedVersion(headers) }),
    enable: ({ headers, params }) => enableAutomation({ ...params, ifVersion: expectedVersion(headers) }),
    disable: ({ headers, params }) => disableAutomation({ ...params, ifVersion: expectedVersion(headers) }),
    test: ({ params, payload }) => testAutomation({ ...params, ...payload }),
    listRuns: ({ params, query }) => listAutomationRuns({ ...params, ...runsOf(query), page: pageOf(query) }),
    getRun: ({ params }) => getAutomationRun(params),
    cancelRun: ({ params }) => cancelAutomationRun(params),
    settings: () => getAutomationSettings(),
    updateSettings: ({ headers, payload }) =>
      updateAutomationSettings({ ...payload, ifVersion: expectedVersion(headers) })
  })
)

export const layerSchedules = HttpApiBuilder.group(Api, "schedules", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    list: ({ query }) => listSchedules({ page: pageOf(query) }),
    create: ({ payload }) => createSchedule(payload),
    get: ({ params }) => getSchedule(params),
    status: ({ params, query }) => getScheduleStatus({ ...params, ...query }),
    update: ({ headers, params, payload }) =>
      updateSchedule({ ...params, ...payload, ifVersion: expectedVersion(headers) }),
    delete: ({ headers, params }) => deleteSchedule({ ...params, ifVersion: expectedVersion(headers) })
  })
)
