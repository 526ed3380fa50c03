import { assert } from "@effect/vitest"
import { TestKit } from "@parley/testkit"
import { Effect } from "effect"
import { openApi } from "../../src/server/openapi/openApi.ts"
import { type Call, call } from "../harness/Http.ts"
import { overHttp } from "../harness/service.ts"
import { givenAutomation, givenPerson, givenTenant } from "../harness/tenants.ts"
import { assertDeclared } from "./declared.ts"
import { at, type Described, described } from "./document.ts"

const operation = (operationId: string): Described => {
  const found = described.find(({ operation }) => at(operation, "operationId") === operationId)
  if (found === undefined) throw new Error(`There is no ${operationId}`)
  return found
}

overHttp("what the OpenAPI document says of answers", TestKit.layer, (it) => {
  it.effect("is what the service serves", () =>
    Effect.gen(function* () {
      const answer = yield* call("GET", "/openapi.json")
      assert.strictEqual(answer.text, JSON.stringify(openApi("http://parley.test")))
    })
  )

  it.effect("holds for answers that come", () =>
    Effect.gen(function* () {
      const { organization, owner } = yield* givenTenant("growth")
      const free = yield* givenTenant("free")
      const viewer = yield* givenPerson(organization, "viewer")
      const automation = yield* givenAutomation(organization)
      const inside: Call = { token: owner.token, organization: organization.id }
      const replayed: Call = { ...inside, body: { name: "Once" }, headers: { "idempotency-key": "once-and-only-once" } }
      const calls: ReadonlyArray<readonly [string, string, string, Call]> = [
        ["getHealth", "GET", "/healthz", {}],
        ["getReadiness", "GET", "/readyz", {}],
        ["getStartup", "GET", "/startupz", {}],
        ["getJsonWebKeys", "GET", "/.well-known/jwks.json", {}],
        ["login", "POST", "/api/v1/auth/login", { body: { email: "nobody@people.test", password: "wrong" } }],
        ["login", "POST", "/api/v1/auth/login", { body: { email: owner.user.email, password: "x", more: 1 } }],
        ["login", "POST", "/api/v1/auth/login", { text: "email=a", headers: { "content-type": "text/plain" } }],
        ["refreshSession", "POST", "/api/v1/auth/refresh", { body: { refreshToken: "unknown" } }],
        ["getMe", "GET", "/api/v1/auth/me", { token: owner.token }],
        ["getMe", "GET", "/api/v1/auth/me", {}],
        ["getEntitlements", "GET", "/api/v1/entitlements", inside],
        ["getOrganization", "GET", "/api/v1/organization", { token: owner.token }],
        ["listMembers", "GET", "/api/v1/members?limit=1", inside],
        ["listMembers", "GET", "/api/v1/members?cursor=forged", inside],
        ["inviteMember", "POST", "/api/v1/members", { ...inside, body: { email: "new@people.test", role: "agent" } }],
        ["inviteMember", "POST", "/api/v1/members", { ...inside, body: { email: "new@people.test", role: "agent" } }],
        [
          "inviteMember",
          "POST",
          "/api/v1/members",
          { ...inside, token: viewer.token, body: { email: "b@p.test", role: "agent" } }
        ],
        ["createAutomation", "POST", "/api/v1/automations", replayed],
        ["createAutomation", "POST", "/api/v1/automations", replayed],
        ["createAutomation", "POST", "/api/v1/automations", { ...replayed, body: { name: "Another" } }],
        [
          "createAutomation",
          "POST",
          "/api/v1/automations",
          { token: free.owner.token, organization: free.organization.id, body: { name: "No" } }
        ],
        ["getAutomation", "GET", `/api/v1/automations/${automation.id}`, inside],
        [
          "getAutomation",
          "GET",
          `/api/v1/automations/${automation.id}`,
          { token: free.owner.token, organization: free.organization.id }
        ],
        [
          "updateAutomation",
          "PATCH",
          `/api/v1/automations/${automation.id}`,
          { ...inside, body: { name: "New" }, headers: { "if-match": '"9"' } }
        ],
        ["enableAutomation", "POST", `/api/v1/automations/${automation.id}/enable`, inside],
        ["listEvents", "GET", "/api/v1/events", inside],
        ["listAuditEvents", "GET", "/api/v1/audit_events", inside],
        ["handOffToDocs", "POST", "/api/v1/docs/handoff", inside],
        ["exchangeDocsCode", "POST", "/api/v1/docs/exchange", { body: { code: "unknown" } }],
        ["getDocsSession", "GET", "/api/v1/docs/session", { token: owner.token }],
        ["deleteAutomation", "DELETE", `/api/v1/automations/${automation.id}`, inside],
        ["logout", "POST", "/api/v1/auth/logout", { token: owner.token }],
        ["logout", "POST", "/api/v1/auth/logout", { token: owner.token }]
      ]
      const statuses = new Set<number>()
      for (const [operationId, method, path, what] of calls) {
        const answer = yield* call(method, path, what)
        statuses.add(answer.status)
        assertDeclared(operation(operationId), answer, `${operationId}: ${answer.status} ${answer.text}`)
      }
      assert.deepStrictEqual(
        Array.from(statuses).toSorted((one, other) => one - other),
        [200, 201, 204, 400, 401, 403, 404, 409, 412, 415, 422]
      )
    })
  )
})
