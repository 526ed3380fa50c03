import { assert } from "@effect/vitest"
import { Permission } from "@parley/domain/kernel"
import type { Ports } from "@parley/domain/composition"
import { DateTime, Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { assertProblem, assertStatus, at, idsOf, pointersOf, rowsOf, textAt } from "../harness/answers.ts"
import { call } from "../harness/Http.ts"
import { overHttp } from "../harness/service.ts"
import { givenAutomationToken, givenPerson, givenTenant, type Tenant } from "../harness/tenants.ts"

const ours = ({ organization, owner }: Tenant) => ({ token: owner.token, organization: organization.id })

const inDays = (days: number) => Effect.map(DateTime.now, (now) => DateTime.formatIso(DateTime.add(now, { days })))

const issue = Effect.fnUntraced(function* (tenant: Tenant, body: object = {}) {
  return yield* call("POST", "/api/v1/auth/tokens", {
    ...ours(tenant),
    body: { name: "Nightly export", permissions: ["organization.read"], expiresAt: yield* inDays(1), ...body }
  })
})

const list = (tenant: Tenant) => call("GET", "/api/v1/auth/tokens", ours(tenant))

/** Automation tokens. */
export const tokensSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect("a token is shown once, works, and is listed without itself", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const issued = yield* issue(tenant)
        assertStatus(issued, 201)
        const { token, ...described } = issued.body
        assert.deepStrictEqual(described, {
          id: textAt(issued, "id"),
          name: "Nightly export",
          permissions: ["organization.read"],
          createdBy: tenant.owner.user.id,
          responsibleUserId: tenant.owner.user.id,
          createdAt: "2026-03-01T10:20:30.123Z",
          adoptedAt: null,
          expiresAt: "2026-03-02T10:20:30.123Z",
          lastUsedAt: null,
          revokedAt: null,
          status: "active",
          suspendedBecause: null,
          effectivePermissions: ["organization.read"]
        })
        const listed = yield* list(tenant)
        assert.deepStrictEqual(rowsOf(listed), [described])
        assert.notInclude(listed.text, String(token))
        const organization = tenant.organization.id
        assertStatus(yield* call("GET", "/api/v1/organization", { token: String(token), organization }), 200)
        const denied = yield* call("GET", "/api/v1/members", { token: String(token), organization })
        assertProblem(denied, 403, "permission_denied")
        assert.strictEqual(denied.body.permission, "members.read")
      })
    )

    it.effect("no caller grants permissions beyond their own", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const admin = yield* givenPerson(tenant.organization, "admin")
        const asAdmin = { organization: tenant.organization, owner: admin }
        const refused = yield* issue(asAdmin, { permissions: ["members.read", "owners.manage"] })
        assertProblem(refused, 403, "permission_denied")
        assert.strictEqual(refused.body.permission, "owners.manage")
        assertStatus(yield* issue(asAdmin, { permissions: ["members.read", "members.manage"] }), 201)
        assertStatus(yield* issue(tenant, { permissions: Permission.literals }), 201)
      })
    )

    it.effect("a token does not make tokens", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { token } = yield* givenAutomationToken(tenant)
        const answer = yield* issue({ organization: tenant.organization, owner: { ...tenant.owner, token } })
        assertProblem(answer, 403, "permission_denied")
        assert.strictEqual(answer.body.permission, "user")
      })
    )

    it.effect("a repeated permission counts once; none and unknown ones are errors", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const twice = yield* issue(tenant, { permissions: ["members.read", "members.read"] })
        assert.deepStrictEqual(twice.body.permissions, ["members.read"])
        for (const [permissions, pointer] of [
          [[], "/permissions/0"],
          [["root"], "/permissions/0"],
          [["members.read", "members.*"], "/permissions/1"],
          ["members.read", "/permissions"]
        ] as const) {
          const answer = yield* issue(tenant, { permissions })
          assertProblem(answer, 400, "validation_failed")
          assert.deepStrictEqual(pointersOf(answer), [pointer])
        }
        assertProblem(yield* issue(tenant, { permissions: Array(65).fill("members.read") }), 400, "validation_failed")
      })
    )

    it.effect("it ends in the future, within 366 days", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        for (const days of [-1, 0, 367]) {
          const answer = yield* issue(tenant, { expiresAt: yield* inDays(days) })
          assertProblem(answer, 400, "validation_failed")
          assert.deepStrictEqual(pointersOf(answer), ["/expiresAt"])
        }
        assertStatus(yield* issue(tenant, { expiresAt: yield* inDays(366) }), 201)
        for (const expiresAt of ["never", "", null, 1_800_000_000, "2026-13-01T00:00:00Z"]) {
          assertProblem(yield* issue(tenant, { expiresAt }), 400, "validation_failed")
        }
      })
    )

    it.effect("it is good until it expires", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const token = textAt(yield* issue(tenant), "token")
        const use = call("GET", "/api/v1/organization", { token, organization: tenant.organization.id })
        yield* TestClock.adjust("23 hours")
        assertStatus(yield* use, 200)
        yield* TestClock.adjust("1 hour")
        assertProblem(yield* use, 401, "token_expired")
      })
    )

    it.effect("it is revoked directly, and a repeated revocation succeeds", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const issued = yield* issue(tenant)
        const use = call("GET", "/api/v1/organization", {
          token: textAt(issued, "token"),
          organization: tenant.organization.id
        })
        const revoke = call("DELETE", `/api/v1/auth/tokens/${textAt(issued, "id")}`, ours(tenant))
        assertStatus(yield* use, 200)
        assertStatus(yield* revoke, 204)
        assertProblem(yield* use, 401, "token_revoked")
        const revokedAt = at(rowsOf(yield* list(tenant))[0], "revokedAt")
        assert.isString(revokedAt)
        yield* TestClock.adjust("1 minute")
        assertStatus(yield* revoke, 204)
        assert.strictEqual(at(rowsOf(yield* list(tenant))[0], "revokedAt"), revokedAt)
      })
    )

    it.effect("its last use is noted, to the minute", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { token } = yield* givenAutomationToken(tenant)
        const use = call("GET", "/api/v1/organization", { token, organization: tenant.organization.id })
        const lastUse = Effect.map(list(tenant), (listed) => at(rowsOf(listed)[0], "lastUsedAt"))
        assert.isNull(yield* lastUse)
        const first = DateTime.formatIso(yield* DateTime.now)
        yield* use
        assert.strictEqual(yield* lastUse, first)
        yield* TestClock.adjust("30 seconds")
        yield* use
        assert.strictEqual(yield* lastUse, first)
        yield* TestClock.adjust("30 seconds")
        yield* use
        assert.strictEqual(yield* lastUse, DateTime.formatIso(yield* DateTime.now))
      })
    )

    it.effect("tokens are listed newest first", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const first = yield* givenAutomationToken(tenant)
        const second = yield* givenAutomationToken(tenant)
        assert.deepStrictEqual(idsOf(yield* list(tenant)), [second.automationToken.id, first.automationToken.id])
      })
    )
  })
