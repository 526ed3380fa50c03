import { assert } from "@effect/vitest"
import type { Ports } from "@parley/domain/composition"
import { Effect, type Layer } from "effect"
import { assertProblem, assertStatus, at, pointersOf, whenNotBusy } from "../harness/answers.ts"
import { endpoints, requestFields } from "../harness/contract.ts"
import { call } from "../harness/Http.ts"
import { validRequest } from "../harness/requests.ts"
import { overHttp } from "../harness/service.ts"
import { givenAutomation, givenTenant } from "../harness/tenants.ts"

const versioned = endpoints.filter((endpoint) => requestFields(endpoint).some(({ name }) => name === "if-match"))

/** Changes of resources: partial updates and versions. */
export const changesSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    const toOrganization = Effect.fnUntraced(function* (body: unknown) {
      const { organization, owner } = yield* givenTenant()
      const what = { token: owner.token, organization: organization.id }
      const changed = yield* call("PATCH", "/api/v1/organization", { ...what, body })
      const after = yield* call("GET", "/api/v1/organization", what)
      return { changed, after, before: organization }
    })

    it.effect("an absent field stays as it is", () =>
      Effect.gen(function* () {
        const { after, before, changed } = yield* toOrganization({ currency: "USD" })
        assertStatus(changed, 200)
        assert.deepStrictEqual(after.body, changed.body)
        const { currency, locale, name, timezone, version } = after.body
        assert.deepStrictEqual(
          { currency, locale, name, timezone, version },
          { currency: "USD", locale: before.locale, name: before.name, timezone: before.timezone, version: 2 }
        )
      })
    )

    it.effect("null does not clear a field that must have a value", () =>
      Effect.gen(function* () {
        const { after, before, changed } = yield* toOrganization({
          name: null,
          timezone: null,
          locale: null,
          currency: null
        })
        assertProblem(changed, 400, "validation_failed")
        assert.deepStrictEqual(pointersOf(changed), ["/currency", "/locale", "/name", "/timezone"])
        assert.deepStrictEqual([after.body.name, after.body.version], [before.name, 1])
      })
    )

    it.effect.each(["id", "slug", "plan", "status", "createdAt", "version", "organizationId"])(
      "the field %s of an organization is not for its members to set",
      (field) =>
        Effect.gen(function* () {
          const { after, before, changed } = yield* toOrganization({ name: "New", [field]: "scale" })
          assertProblem(changed, 400, "validation_failed")
          assert.deepStrictEqual(pointersOf(changed), [`/${field}`])
          assert.strictEqual(after.body.name, before.name)
        })
    )

    it.effect.each(versioned)("$id honours If-Match, quoted or not", (endpoint) =>
      Effect.gen(function* () {
        for (const quote of ['"', ""]) {
          const tenant = yield* givenTenant()
          const { path, ...what } = yield* validRequest(endpoint, { tenant, person: tenant.owner })
          const send = (tag: string) => call(endpoint.method, path, { ...what, headers: { "if-match": tag } })

          const stale = yield* send('"7"')
          assertProblem(stale, 412, "version_conflict")
          assert.isNumber(stale.body.current)

          const answer = yield* send(`${quote}${String(stale.body.current)}${quote}`)
          assertStatus(answer, endpoint.success)
        }
      })
    )

    it.effect("of many who change the same version, one does", () =>
      Effect.gen(function* () {
        const { organization, owner } = yield* givenTenant()
        const { id } = yield* givenAutomation(organization)
        const what = { token: owner.token, organization: organization.id, headers: { "if-match": '"1"' } }
        const answers = yield* Effect.forEach(
          Array.from({ length: 10 }, (_, index) => ({ name: `Routine ${index}` })),
          (body) => whenNotBusy(call("PATCH", `/api/v1/automations/${id}`, { ...what, body })),
          { concurrency: "unbounded" }
        )
        const [winner, ...others] = answers.toSorted((one, other) => one.status - other.status)
        assert.strictEqual(winner?.status, 200)
        for (const other of others) {
          assertProblem(other, 412, "version_conflict")
          assert.strictEqual(at(other.body, "current"), 2)
        }
      })
    )
  })
