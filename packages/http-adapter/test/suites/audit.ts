import { assert } from "@effect/vitest"
import type { Role } from "@parley/domain/kernel"
import type { Ports } from "@parley/domain/composition"
import { Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { assertProblem, assertStatus, at, rowsOf, textAt } from "../harness/answers.ts"
import { endpoints } from "../harness/contract.ts"
import { expectedAction } from "../harness/expectedAnswers.ts"
import { call } from "../harness/Http.ts"
import { validRequest } from "../harness/requests.ts"
import { overHttp } from "../harness/service.ts"
import { freshText, givenAutomation, givenPerson, givenTenant, type Tenant } from "../harness/tenants.ts"

const trail = ({ organization, owner }: Tenant, query: Record<string, string> = {}) =>
  call("GET", `/api/v1/audit_events?${new URLSearchParams({ limit: "100", ...query })}`, {
    token: owner.token,
    organization: organization.id
  })

const actionsOf = (rows: ReadonlyArray<unknown>) => rows.map((row) => at(row, "action"))

/** Changes of the installation are in its own trail. */
const writing = endpoints.filter(({ admission, method }) => method !== "GET" && admission !== "operator")

/** The trail of changes. */
export const auditSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect.each(writing)("$id leaves what it did in the trail, with the id of its request", (endpoint) =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const requestId = yield* freshText("audited")
        const { path, ...what } = yield* validRequest(endpoint, { tenant, person: tenant.owner })
        const before = yield* trail(tenant)
        const answer = yield* call(endpoint.method, path, {
          ...what,
          headers: { ...what.headers, "x-request-id": requestId }
        })
        assertStatus(answer, endpoint.success)
        const known = new Set(rowsOf(before).map((row) => at(row, "id")))
        const rows = rowsOf(yield* trail(tenant)).filter((row) => !known.has(at(row, "id")))
        const action = expectedAction(endpoint)
        assert.deepStrictEqual(actionsOf(rows), action === null ? [] : [action])
        for (const row of rows) {
          assert.strictEqual(at(row, "requestId"), requestId)
          assert.strictEqual(at(row, "at"), "2026-03-01T10:20:30.123Z")
          assert.strictEqual(at(row, "actor", "kind"), "user")
        }
      })
    )

    it.effect("a change shows the changed fields before and after", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { organization, owner } = tenant
        yield* call("PATCH", "/api/v1/organization", {
          token: owner.token,
          organization: organization.id,
          body: { name: "New", currency: "USD", locale: organization.locale }
        })
        const [row] = rowsOf(yield* trail(tenant))
        assert.deepStrictEqual(at(row, "before"), { name: organization.name, currency: organization.currency })
        assert.deepStrictEqual(at(row, "after"), { name: "New", currency: "USD" })
        assert.deepStrictEqual(at(row, "target"), { kind: "organization", id: organization.id })
        assert.deepStrictEqual(at(row, "actor"), { kind: "user", id: owner.user.id })
      })
    )

    it.effect("a refused call leaves no entry", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant("free")
        const what = { token: tenant.owner.token, organization: tenant.organization.id }
        yield* call("POST", "/api/v1/automations", { ...what, body: { name: "Greet" } })
        yield* call("PATCH", "/api/v1/organization", { ...what, body: { name: "New" }, headers: { "if-match": "9" } })
        yield* call("DELETE", `/api/v1/members/${tenant.owner.member.id}`, what)
        assert.isEmpty(rowsOf(yield* trail(tenant)))
      })
    )

    it.effect("it is filtered by actor, target, action and time, newest first", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { organization, owner } = tenant
        const admin = yield* givenPerson(organization, "admin")
        const { id } = yield* givenAutomation(organization)
        const patch = (by: typeof owner, path: string, name: string) =>
          call("PATCH", path, { token: by.token, organization: organization.id, body: { name } })
        yield* patch(owner, "/api/v1/organization", "One")
        yield* TestClock.adjust("1 second")
        yield* patch(admin, "/api/v1/organization", "Two")
        yield* TestClock.adjust("1 second")
        yield* patch(owner, `/api/v1/automations/${id}`, "Three")

        const all = rowsOf(yield* trail(tenant))
        assert.deepStrictEqual(actionsOf(all), ["automation.updated", "organization.updated", "organization.updated"])
        const [third, second, first] = all
        const found = (query: Record<string, string>) => Effect.map(trail(tenant, query), rowsOf)
        assert.deepStrictEqual(yield* found({ actorId: owner.user.id }), [third, first])
        assert.deepStrictEqual(yield* found({ actorId: admin.user.id }), [second])
        assert.deepStrictEqual(yield* found({ targetKind: "automation" }), [third])
        assert.deepStrictEqual(yield* found({ targetKind: "organization", targetId: organization.id }), [second, first])
        assert.deepStrictEqual(yield* found({ targetKind: "automation", targetId: organization.id }), [])
        assert.deepStrictEqual(yield* found({ action: "organization.updated", actorId: owner.user.id }), [first])
        const [atFirst, atSecond, atThird] = [first, second, third].map((row) => String(at(row, "at")))
        assert.deepStrictEqual(yield* found({ from: String(atSecond) }), [third, second])
        assert.deepStrictEqual(yield* found({ to: String(atSecond) }), [first])
        assert.deepStrictEqual(yield* found({ from: String(atFirst), to: String(atThird) }), [second, first])
        assert.deepStrictEqual(yield* found({ from: String(atThird), to: String(atFirst) }), [])
      })
    )

    it.effect("pages of a filtered trail hold to the filter", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const admin = yield* givenPerson(tenant.organization, "admin")
        for (const [index, by] of [tenant.owner, admin, tenant.owner, admin, tenant.owner].entries()) {
          yield* call("PATCH", "/api/v1/organization", {
            token: by.token,
            organization: tenant.organization.id,
            body: { name: `Name ${index}` }
          })
        }
        const query = { actorId: tenant.owner.user.id, limit: "2" }
        const first = yield* trail(tenant, query)
        const second = yield* trail(tenant, { ...query, cursor: textAt(first, "nextCursor") })
        assert.deepStrictEqual([rowsOf(first).length, rowsOf(second).length, second.body.nextCursor], [2, 1, null])
      })
    )

    it.effect.each(["\u0000", "%00", "' OR 1=1 --", "\ud800", "\\", "%", "_", "🥐".repeat(40)])(
      "the filter %j finds nothing and breaks nothing",
      (value) =>
        Effect.gen(function* () {
          const tenant = yield* givenTenant()
          yield* call("PATCH", "/api/v1/organization", {
            token: tenant.owner.token,
            organization: tenant.organization.id,
            body: { name: "New" }
          })
          for (const field of ["actorId", "targetKind", "targetId", "action"]) {
            const answer = yield* trail(tenant, { [field]: value })
            assert.include([200, 400], answer.status, answer.text)
            if (answer.status === 200) assert.isEmpty(rowsOf(answer))
          }
        })
    )

    it.effect.each(["agent", "viewer"] as const)("it is not for an %s", (role: Role) =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const person = yield* givenPerson(tenant.organization, role)
        const answer = yield* trail({ ...tenant, owner: person })
        assertProblem(answer, 403, "permission_denied")
        assert.strictEqual(answer.body.permission, "audit.read")
      })
    )
  })
