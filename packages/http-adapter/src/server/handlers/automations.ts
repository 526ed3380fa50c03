import {
  createAutomation,
  deleteAutomation,
  disableAutomation,
  enableAutomation,
  getAutomation,
  getAutomationRun,
  listAutomationRuns,
  getAutomationSettings,
  listAutomations,
  testAutomation,
  updateAutomation,
  updateAutomationSettings
} from "@parley/domain"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { expectedVersion, pageOf } from "../../api/shapes.ts"
import { withAnswerWriters } from "../answers/answerWriters.ts"

/** Automations. */
export const layer = HttpApiBuilder.group(Api, "automations", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    list: ({ query }) => listAutomations(pageOf(query)),
    create: ({ payload }) => createAutomation(payload),
    get: ({ params }) => getAutomation(params.id),
    update: ({ headers, params, payload }) => updateAutomation(params.id, payload, expectedVersion(headers)),
    delete: ({ headers, params }) => deleteAutomation(params.id, expectedVersion(headers)),
    enable: ({ headers, params }) => enableAutomation(params.id, expectedVersion(headers)),
    disable: ({ headers, params }) => disableAutomation(params.id, expectedVersion(headers)),
    test: ({ params, payload }) => testAutomation(params.id, payload),
    listRuns: ({ params, query }) => listAutomationRuns(params.id, { state: query.state ?? null }, pageOf(query)),
    getRun: ({ params }) => getAutomationRun(params.id, params.runId),
    settings: () => getAutomationSettings(),
    updateSettings: ({ headers, payload }) => updateAutomationSettings(payload, expectedVersion(headers))
  })
)
