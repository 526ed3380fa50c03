import { assert } from "@effect/vitest"
import type { Ports } from "@parley/domain/composition"
import { Effect, type Layer } from "effect"
import { assertProblem, assertStatus, pointersOf, textAt } from "../harness/answers.ts"
import { call } from "../harness/Http.ts"
import { overHttp } from "../harness/service.ts"
import { givenContact, givenTenant, type Tenant } from "../harness/tenants.ts"

const ours = ({ organization, owner }: Tenant) => ({ token: owner.token, organization: organization.id })

const definition = { when: { event: "webhook.received" }, then: [{ type: "set_priority", priority: "high" }] }

/** An enabled automation with a trigger URL. */
const triggered = Effect.fnUntraced(function* (tenant: Tenant) {
  const body = { name: "Form", ...definition }
  const created = yield* call("POST", "/api/v1/automations", { ...ours(tenant), body })
  assertStatus(created, 201)
  const path = `/api/v1/automations/${textAt(created, "id")}`
  assertStatus(yield* call("POST", `${path}/enable`, ours(tenant)), 200)
  const issued = yield* call("POST", `${path}/trigger_url`, { ...ours(tenant), body: {} })
  assertStatus(issued, 201)
  return { path, url: new URL(textAt(issued, "url")).pathname }
})

export const automationTriggersSuite = <Provides, E>(name: string, ports: Layer.Layer<Ports | Provides, E>) =>
  overHttp<Provides, E>(name, ports, (it) => {
    it.effect("a call needs the token of the URL and nothing else, and starts once with its idempotency key", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { path, url } = yield* triggered(tenant)
        const { id } = yield* givenContact(tenant.organization)
        const asked = { body: { contact: { id }, data: { plan: "pro" } }, headers: { "idempotency-key": "form-1" } }
        const first = yield* call("POST", url, asked)
        assertStatus(first, 202)
        assert.isNull(first.body.ignored)
        const again = yield* call("POST", url, asked)
        assertStatus(again, 202)
        assert.deepStrictEqual(again.body, { callId: first.body.callId, ignored: "repeated" })
        const shown = yield* call("GET", `${path}/trigger_url`, ours(tenant))
        assertStatus(shown, 200)
        assert.hasAllKeys(shown.body, ["automationId", "signed", "createdAt"])
      })
    )

    it.effect("a wrong token, a deleted URL and another tenant's automation are the same 404", () =>
      Effect.gen(function* () {
        const [tenant, other] = [yield* givenTenant(), yield* givenTenant()]
        const { path, url } = yield* triggered(tenant)
        const theirs = yield* triggered(other)
        const { id } = yield* givenContact(tenant.organization)
        const body = { contact: { id } }
        const accepted = { "idempotency-key": "form-2" }
        assertStatus(yield* call("POST", url, { body, headers: accepted }), 202)
        const wrong = [
          `${url.slice(0, -1)}${url.endsWith("A") ? "B" : "A"}`,
          `${path}/trigger/x`,
          `${theirs.path}/trigger/${url.split("/").at(-1) ?? ""}`
        ]
        for (const each of wrong) assertProblem(yield* call("POST", each, { body }), 404, "not_found")
        assertStatus(yield* call("DELETE", `${path}/trigger_url`, ours(tenant)), 204)
        assertProblem(yield* call("POST", url, { body }), 404, "not_found")
        assertProblem(yield* call("POST", url, { body, headers: accepted }), 404, "not_found")
      })
    )

    it.effect("a disabled automation answers the same for known and unknown contacts", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { path, url } = yield* triggered(tenant)
        const { id } = yield* givenContact(tenant.organization)
        assertStatus(yield* call("POST", `${path}/disable`, ours(tenant)), 200)
        const known = yield* call("POST", url, { body: { contact: { id } } })
        const unknown = yield* call("POST", url, { body: { contact: { email: "unknown@example.com" } } })
        assert.deepStrictEqual(known.body, { callId: null, ignored: "automation_disabled" })
        assert.deepStrictEqual([unknown.status, unknown.body], [known.status, known.body])
      })
    )

    it.effect("an enabled automation with another event names the reason", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { path, url } = yield* triggered(tenant)
        const { id } = yield* givenContact(tenant.organization)
        const changed = { ...ours(tenant), body: { when: { event: "conversation.opened" } } }
        assertStatus(yield* call("PATCH", path, changed), 200)
        const answer = yield* call("POST", url, { body: { contact: { id } } })
        assert.deepStrictEqual([answer.status, answer.body], [202, { callId: null, ignored: "other_event" }])
      })
    )

    it.effect("a body without exactly one contact, and one above 64 KiB, is refused", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { url } = yield* triggered(tenant)
        const { id } = yield* givenContact(tenant.organization)
        for (const [body, pointer] of [
          [{}, "/contact"],
          [{ contact: {} }, "/contact"],
          [{ contact: { id, email: "ada@example.com" } }, "/contact/email"],
          [{ contact: { phone: "12" } }, "/contact/phone"],
          [{ contact: { id }, data: [] }, "/data"],
          [{ contact: { id }, data: { text: "nul\u0000" } }, "/data/text"]
        ] as const) {
          const answer = yield* call("POST", url, { body })
          assertProblem(answer, 400, "validation_failed")
          assert.deepStrictEqual(pointersOf(answer), [pointer], JSON.stringify(body))
        }
        const large = { contact: { id }, data: { text: "x".repeat(64 * 1024) } }
        assertProblem(yield* call("POST", url, { body: large }), 413, "payload_too_large")
      })
    )
  })
