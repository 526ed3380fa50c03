import {
  Automation,
  createAutomation,
  deleteAutomation,
  disableAutomation,
  enableAutomation,
  getAutomation,
  listAutomations,
  updateAutomation
} from "@parley/domain"
import type { AutomationsApi } from "../../automations.ts"
import type { ExamplesOf } from "./Example.ts"
import { at, automation, pageOf } from "./samples.ts"

const name = "Thank every returning customer"

const later = { updatedAt: at("10:00:00.000"), version: automation.version + 1 }

export const automations: ExamplesOf<typeof AutomationsApi> = {
  list: { runs: listAutomations, answer: pageOf(automation) },
  create: { runs: createAutomation, request: { name: automation.name }, answer: automation },
  get: { runs: getAutomation, answer: automation },
  update: {
    runs: updateAutomation,
    request: { name },
    answer: new Automation({ ...automation, ...later, name })
  },
  delete: { runs: deleteAutomation },
  enable: { runs: enableAutomation, answer: new Automation({ ...automation, ...later, enabled: true }) },
  disable: { runs: disableAutomation, answer: new Automation({ ...automation, ...later, enabled: false }) }
}
