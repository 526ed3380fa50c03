import { assert } from "@effect/vitest"
import { type PlanName, type Ports, setOrganizationPlan } from "@parley/domain"
import { Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { assertProblem, assertStatus, idsOf, rowsOf, textAt } from "../harness/answers.ts"
import { call } from "../harness/Http.ts"
import { overHttp } from "../harness/service.ts"
import { freshId, givenAutomation, givenTenant, inside, type Tenant } from "../harness/tenants.ts"

const ours = ({ organization, owner }: Tenant) => ({ token: owner.token, organization: organization.id })

const paid: ReadonlyArray<{ readonly plan: PlanName }> = [{ plan: "growth" }, { plan: "scale" }]

/** Automations, and the gate of the plan before them. */
export const automationsSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect.each(paid)("on $plan an automation is saved, read, changed, switched and deleted", ({ plan }) =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant(plan)
        const created = yield* call("POST", "/api/v1/automations", {
          ...ours(tenant),
          body: { name: "Greet newcomers" }
        })
        assertStatus(created, 201)
        const path = `/api/v1/automations/${textAt(created, "id")}`
        assert.deepStrictEqual(created.body, {
          id: textAt(created, "id"),
          name: "Greet newcomers",
          enabled: false,
          createdAt: textAt(created, "createdAt"),
          updatedAt: textAt(created, "createdAt"),
          version: 1
        })
        assert.deepStrictEqual((yield* call("GET", path, ours(tenant))).body, created.body)

        yield* TestClock.adjust("1 second")
        const renamed = yield* call("PATCH", path, { ...ours(tenant), body: { name: "Greet everybody" } })
        assert.deepStrictEqual(renamed.body, {
          ...created.body,
          name: "Greet everybody",
          updatedAt: textAt(renamed, "updatedAt"),
          version: 2
        })
        assert.isAbove(textAt(renamed, "updatedAt").localeCompare(textAt(created, "updatedAt")), 0)

        const enabled = yield* call("POST", `${path}/enable`, ours(tenant))
        assert.deepStrictEqual([enabled.status, enabled.body.enabled], [200, true])
        const disabled = yield* call("POST", `${path}/disable`, ours(tenant))
        assert.deepStrictEqual([disabled.status, disabled.body.enabled], [200, false])

        assertStatus(yield* call("DELETE", path, ours(tenant)), 204)
        assertProblem(yield* call("GET", path, ours(tenant)), 404, "not_found")
        assert.isEmpty(rowsOf(yield* call("GET", "/api/v1/automations", ours(tenant))))
      })
    )

    it.effect(
      "on free every write is refused with what is missing and where it is to be had, and nothing changes",
      () =>
        Effect.gen(function* () {
          const tenant = yield* givenTenant("free")
          const automation = yield* givenAutomation(tenant.organization)
          const path = `/api/v1/automations/${automation.id}`
          const writes = [
            yield* call("POST", "/api/v1/automations", { ...ours(tenant), body: { name: "New" } }),
            yield* call("PATCH", path, { ...ours(tenant), body: { name: "Other" } }),
            yield* call("POST", `${path}/enable`, ours(tenant)),
            yield* call("POST", `${path}/disable`, ours(tenant)),
            yield* call("DELETE", path, ours(tenant))
          ]
          for (const refused of writes) {
            assertProblem(refused, 403, "feature_not_in_plan")
            const { availableIn, feature, plan } = refused.body
            assert.deepStrictEqual(
              { availableIn, feature, plan },
              { availableIn: ["growth", "scale"], feature: "automations", plan: "free" }
            )
          }
          const listed = yield* call("GET", "/api/v1/automations", ours(tenant))
          assert.deepStrictEqual(idsOf(listed), [automation.id])
          const read = yield* call("GET", path, ours(tenant))
          assert.deepStrictEqual([read.body.name, read.body.version], [automation.name, 1])
        })
    )

    it.effect("the gate opens and closes with the plan, at once", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant("free")
        const create = call("POST", "/api/v1/automations", { ...ours(tenant), body: { name: "New" } })
        assertProblem(yield* create, 403, "feature_not_in_plan")
        yield* setOrganizationPlan("growth").pipe(inside(tenant.organization))
        assertStatus(yield* create, 201)
        yield* setOrganizationPlan("free").pipe(inside(tenant.organization))
        assertProblem(yield* create, 403, "feature_not_in_plan")
      })
    )

    it.effect("the gate comes before the resource is looked for, and the permission before the gate", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant("free")
        const unknown = `/api/v1/automations/${yield* freshId}`
        assertProblem(yield* call("DELETE", unknown, ours(tenant)), 403, "feature_not_in_plan")
        assertProblem(yield* call("GET", unknown, ours(tenant)), 404, "not_found")
      })
    )

    it.effect.each(["", " ", " leading", "trailing ", "two\nlines", "nul\u0000", "\udfff", "x".repeat(121), 7, null])(
      "%j is no name",
      (name) =>
        Effect.gen(function* () {
          const answer = yield* call("POST", "/api/v1/automations", { ...ours(yield* givenTenant()), body: { name } })
          assertProblem(answer, 400, "validation_failed")
        })
    )

    it.effect.each([
      "x",
      "x".repeat(120),
      "'; DROP TABLE automations; --",
      '<img src=x onerror="alert(1)">',
      "100 % \\ _ 🥐 中文 עברית"
    ])("%j is one, and comes back as it was sent", (name) =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const created = yield* call("POST", "/api/v1/automations", { ...ours(tenant), body: { name } })
        assertStatus(created, 201)
        const read = yield* call("GET", `/api/v1/automations/${textAt(created, "id")}`, ours(tenant))
        assert.strictEqual(read.body.name, name)
      })
    )
  })
