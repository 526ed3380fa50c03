import { Effect, Redacted } from "effect"
import { rotateTriggerUrl } from "@parley/domain/automation"
import { givenAutomationRun, givenConversation, givenReceived } from "@parley/testkit"
import { givenAutomation, givenContact, inside, type Tenant } from "../../tenants.ts"
import { nothing, type Recipe } from "../../Recipe.ts"

const onAutomation =
  (body?: unknown): Recipe =>
  ({ tenant }) =>
    Effect.map(givenAutomation(tenant.organization), ({ id }) => ({ id, body }))

/** An automation with a trigger URL. Returns its id and the token of the URL. */
const givenTriggerUrl = ({ organization }: Tenant) =>
  Effect.gen(function* () {
    const { id } = yield* givenAutomation(organization)
    const { url } = yield* rotateTriggerUrl({ id }).pipe(inside(organization), Effect.orDie)
    return { id, token: Redacted.value(url).split("/").at(-1) ?? "" }
  })

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
  "automations.getTriggerUrl": ({ tenant }) => Effect.map(givenTriggerUrl(tenant), ({ id }) => ({ id })),
  "automations.rotateTriggerUrl": onAutomation({ signed: true }),
  "automations.deleteTriggerUrl": ({ tenant }) => Effect.map(givenTriggerUrl(tenant), ({ id }) => ({ id })),
  "automationTriggers.trigger": ({ tenant }) =>
    Effect.gen(function* () {
      const { id, token } = yield* givenTriggerUrl(tenant)
      const contact = yield* givenContact(tenant.organization)
      return { id, params: { token }, body: { contact: { id: contact.id }, data: { plan: "pro" } } }
    }),
  "automations.settings": nothing,
  "automations.updateSettings": () => Effect.succeed({ body: { paused: true } })
}
