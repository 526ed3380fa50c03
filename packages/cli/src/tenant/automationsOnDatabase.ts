import {
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
} from "@parley/domain"
import type { Calls } from "./Tenant.ts"
import { type Here, pageOf } from "./webhooksOnDatabase.ts"

/** The calls about automations as the use cases behind them. */
export const automationsOnDatabase = (here: Here): Pick<Calls, "automations"> => ({
  automations: {
    list: ({ query = {} } = {}) => here(listAutomations(pageOf(query))),
    get: ({ params }) => here(getAutomation(params.id)),
    create: ({ payload }) => here(createAutomation(payload)),
    update: ({ headers = {}, params, payload = {} }) =>
      here(updateAutomation(params.id, payload, headers["if-match"] ?? null)),
    delete: ({ headers = {}, params }) => here(deleteAutomation(params.id, headers["if-match"] ?? null)),
    enable: ({ headers = {}, params }) => here(enableAutomation(params.id, headers["if-match"] ?? null)),
    disable: ({ headers = {}, params }) => here(disableAutomation(params.id, headers["if-match"] ?? null)),
    test: ({ params, payload }) => here(testAutomation(params.id, payload)),
    listRuns: ({ params, query = {} }) =>
      here(listAutomationRuns(params.id, { state: query.state ?? null }, pageOf(query))),
    getRun: ({ params }) => here(getAutomationRun(params.id, params.runId)),
    settings: () => here(getAutomationSettings()),
    updateSettings: ({ headers = {}, payload = {} } = {}) =>
      here(updateAutomationSettings(payload, headers["if-match"] ?? null))
  }
})
