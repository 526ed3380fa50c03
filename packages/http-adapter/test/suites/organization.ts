import { assert } from "@effect/vitest"
import { setOrganizationPlan } from "@parley/domain/platform"
import type { Ports } from "@parley/domain/composition"
import { Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { assertProblem, assertStatus, at, pointersOf } from "../harness/answers.ts"
import { call } from "../harness/Http.ts"
import { overHttp } from "../harness/service.ts"
import { givenInvitation, givenTenant, inside, type Tenant } from "../harness/tenants.ts"

const ours = ({ organization, owner }: Tenant) => ({ token: owner.token, organization: organization.id })

/** Finds a limit by name, at any position. */
const limitOf = (body: unknown, name: string): unknown => {
  const limits = at(body, "limits")
  return Array.isArray(limits) ? limits.find((limit) => at(limit, "limit") === name) : undefined
}

/** Settings and entitlements of an organization. */
export const organizationSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect("its settings are read and changed", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant("growth")
        const patch = {
          name: 'Bäckerei "O\'Neill" \\ 100 % 🥐',
          timezone: "America/Sao_Paulo",
          locale: "pt-BR",
          currency: "BRL"
        }
        const answer = yield* call("PATCH", "/api/v1/organization", { ...ours(tenant), body: patch })
        assertStatus(answer, 200)
        const { id, slug } = tenant.organization
        const expected = {
          id,
          slug,
          plan: "growth",
          status: "active",
          createdAt: "2026-03-01T10:20:30.123Z",
          version: 2,
          ...patch
        }
        assert.deepStrictEqual(answer.body, expected)
        assert.deepStrictEqual((yield* call("GET", "/api/v1/organization", ours(tenant))).body, expected)
      })
    )

    it.effect.each([
      { name: "" },
      { name: " x" },
      { name: "a\u0007b" },
      { name: "x".repeat(201) },
      { timezone: "Mars/Olympus" },
      { timezone: "" },
      { timezone: "+99:00" },
      { locale: "e" },
      { locale: "en_US" },
      { locale: "en-" },
      { currency: "eur" },
      { currency: "EURO" },
      { currency: "" }
    ])("%j is refused", (body) =>
      Effect.gen(function* () {
        const answer = yield* call("PATCH", "/api/v1/organization", { ...ours(yield* givenTenant()), body })
        assertProblem(answer, 400, "validation_failed")
        assert.deepStrictEqual(
          pointersOf(answer),
          Object.keys(body).map((field) => `/${field}`)
        )
      })
    )

    it.effect("its entitlements come from the table that enforces them", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant("free")
        yield* givenInvitation(tenant.organization)
        const read = call("GET", "/api/v1/entitlements", ours(tenant))
        const free = yield* read
        assertStatus(free, 200)
        assert.strictEqual(free.body.plan, "free")
        assert.deepStrictEqual(free.body.features, [
          { feature: "automations", allowed: false, availableIn: ["growth", "scale"] },
          { feature: "workflows", allowed: false, availableIn: ["scale"] },
          { feature: "plugins", allowed: false, availableIn: ["scale"] }
        ])
        assert.deepStrictEqual(at(free.body, "limits", 0), {
          limit: "seats",
          allowed: true,
          used: 2,
          max: 3,
          resetsAt: null,
          plans: { free: 3, growth: 15, scale: 250 }
        })
        assert.deepStrictEqual(limitOf(free.body, "broadcastRecipientsPerMonth"), {
          limit: "broadcastRecipientsPerMonth",
          allowed: true,
          used: 0,
          max: 1_000,
          resetsAt: "2026-04-01T00:00:00.000Z",
          plans: { free: 1_000, growth: 250_000, scale: 50_000_000 }
        })
        yield* givenInvitation(tenant.organization)
        assert.strictEqual(at((yield* read).body, "limits", 0, "allowed"), false)

        yield* setOrganizationPlan({ plan: "growth" }).pipe(inside(tenant.organization))
        const growth = yield* read
        assert.strictEqual(growth.body.plan, "growth")
        assert.strictEqual(at(growth.body, "features", 0, "allowed"), true)
        assert.strictEqual(at(growth.body, "limits", 0, "allowed"), true)
      })
    )

    it.effect("monthly limits reset with the month", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant("free")
        const resetsAt = Effect.map(call("GET", "/api/v1/entitlements", ours(tenant)), ({ body }) =>
          at(limitOf(body, "broadcastRecipientsPerMonth"), "resetsAt")
        )
        assert.strictEqual(yield* resetsAt, "2026-04-01T00:00:00.000Z")
        yield* TestClock.adjust("10 minutes")
        assert.strictEqual(yield* resetsAt, "2026-04-01T00:00:00.000Z")
      })
    )
  })
