import { Effect } from "effect"
import { givenAutomationRun, givenConversation, givenReceived } from "@parley/testkit"
import { givenAutomation } from "../../tenants.ts"
import { nothing, type Recipe } from "../../Recipe.ts"

const onAutomation =
  (body?: unknown): Recipe =>
  ({ tenant }) =>
    Effect.map(givenAutomation(tenant.organization), ({ id }) => ({ id, body }))

/** A valid request for each endpoint of this area, with creation of the data that the request needs. */
export const recipes: Readonly<Record<string, Recipe>> = {
  "automations.list": nothing,
  "automations.create": () => Effect.succeed({ body: { name: "Greet newcomers" } }),
  "automations.get": onAutomation(),
  "automations.update": onAutomation({ name: "Greet everybody" }),
  "automations.delete": onAutomation(),
  "automations.enable": onAutomation(),
  "automations.disable": onAutomation(),
  "automations.test": ({ tenant: { organization } }) =>
    Effect.gen(function* () {
      const { id } = yield* givenAutomation(organization)
      const { position } = yield* givenReceived(organization, yield* givenConversation(organization))
      return { id, body: { position, draft: {} } }
    }),
  "automations.listRuns": onAutomation(),
  "automations.getRun": ({ tenant }) =>
    Effect.gen(function* () {
      const { id } = yield* givenAutomation(tenant.organization)
      const run = yield* givenAutomationRun(tenant.organization, id)
      return { id, params: { runId: run.id } }
    }),
  "automations.cancelRun": ({ tenant }) =>
    Effect.gen(function* () {
      const { id } = yield* givenAutomation(tenant.organization)
      const run = yield* givenAutomationRun(tenant.organization, id, { state: "queued", finishedAt: null })
      return { id, params: { runId: run.id } }
    }),
  "automations.settings": nothing,
  "automations.updateSettings": () => Effect.succeed({ body: { paused: true } })
}
