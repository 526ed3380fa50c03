import { assert } from "@effect/vitest"
import { ContactRun } from "@parley/domain/automation"
import type { Ports } from "@parley/domain/composition"
import { givenActiveWorkflow, givenAutomationRun, givenContact, givenWorkflowRun } from "@parley/testkit"
import { DateTime, Effect, type Layer, Schema } from "effect"
import { assertProblem, assertStatus, at, rowsOf } from "../harness/answers.ts"
import { call } from "../harness/Http.ts"
import { overHttp } from "../harness/service.ts"
import { freshId, givenAutomation, givenAutomationToken, givenTenant, type Tenant } from "../harness/tenants.ts"

const ours = ({ organization, owner }: Tenant) => ({ token: owner.token, organization: organization.id })

const decode = Schema.decodeUnknownSync(Schema.toCodecJson(ContactRun))

const conditions = { field: "name", op: "is", value: "Ada", saw: "Ada Lovelace", held: true }

/** The runs of automations and workflows for one contact. */
export const contactRunsSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect("both kinds are listed with the names of their definitions, and filter the runs of each", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant("scale")
        const { id: workflowId } = yield* givenActiveWorkflow(tenant.organization)
        const workflowRun = yield* givenWorkflowRun(tenant.organization, workflowId)
        const { contactId } = workflowRun
        const automation = yield* givenAutomation(tenant.organization)
        const createdAt = DateTime.add(workflowRun.startedAt, { minutes: 1 })
        const run = yield* givenAutomationRun(tenant.organization, automation.id, {
          contactId,
          createdAt,
          conditions,
          state: "succeeded",
          event: { position: 9, type: "order.paid" }
        })
        yield* givenAutomationRun(tenant.organization, automation.id, { contactId })
        const answer = yield* call("GET", `/api/v1/contacts/${contactId}/runs`, ours(tenant))
        assertStatus(answer, 200)
        const runs = rowsOf(answer).map((row) => decode(row))
        assert.deepStrictEqual(
          runs.map((each) => [each.kind, each.id, each.name]),
          [
            ["automation", run.id, automation.name],
            ["workflow", workflowRun.id, "Cart"]
          ]
        )
        assert.deepStrictEqual(runs[0]?.kind === "automation" ? runs[0].run.conditions : null, conditions)
        const idsAt = (path: string) =>
          Effect.map(call("GET", `/api/v1/${path}`, ours(tenant)), (found) => {
            assertStatus(found, 200)
            return rowsOf(found).map((row) => at(row, "id"))
          })
        const runsPath = `automations/${automation.id}/runs?contactId=${contactId}`
        assert.lengthOf(yield* idsAt(runsPath), 2)
        assert.deepStrictEqual(yield* idsAt(`${runsPath}&position=9`), [run.id])
        assert.deepStrictEqual(yield* idsAt(`automations/${automation.id}/runs?contactId=${yield* freshId}`), [])
        assert.deepStrictEqual(yield* idsAt(`workflows/${workflowId}/runs?contactId=${contactId}`), [workflowRun.id])
        assert.deepStrictEqual(yield* idsAt(`workflows/${workflowId}/runs?position=9`), [])
        const wrong = yield* call("GET", `/api/v1/workflows/${workflowId}/runs?position=0`, ours(tenant))
        assertProblem(wrong, 400, "validation_failed")
      })
    )

    it.effect("a token without a permission for automations and workflows is refused, and sees no hidden values", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant("scale")
        const { id: contactId } = yield* givenContact(tenant.organization)
        const automation = yield* givenAutomation(tenant.organization)
        yield* givenAutomationRun(tenant.organization, automation.id, { contactId, conditions, state: "succeeded" })
        const path = `/api/v1/contacts/${contactId}/runs`
        const tokenWith = (...permissions: ReadonlyArray<"contacts.read" | "automations.read">) =>
          Effect.map(givenAutomationToken(tenant, permissions), ({ token }) => token)
        const organization = tenant.organization.id
        const refused = yield* call("GET", path, { token: yield* tokenWith("contacts.read"), organization })
        assertProblem(refused, 403, "permission_denied")
        const token = yield* tokenWith("contacts.read", "automations.read")
        const seen = yield* call("GET", path, { token, organization })
        assertStatus(seen, 200)
        assert.include(seen.text, '"held":true')
        assert.notInclude(seen.text, "Ada Lovelace")
        assertProblem(yield* call("GET", `/api/v1/contacts/${yield* freshId}/runs`, ours(tenant)), 404, "not_found")
      })
    )
  })
