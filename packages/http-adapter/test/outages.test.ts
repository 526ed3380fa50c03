import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { assertProblem, assertStatus, rowsOf } from "./harness/answers.ts"
import { endpoints, isWebhook } from "./harness/contract.ts"
import { call } from "./harness/Http.ts"
import { layerWeather, StorageWeather } from "./harness/outages.ts"
import { validRequest } from "./harness/requests.ts"
import { overHttp } from "./harness/service.ts"
import { givenTenant } from "./harness/tenants.ts"

/** Endpoints that need no storage, or only for their first answer. */
const goesOn = new Set([
  "operations.health",
  "operations.jwks",
  "operations.startup",
  "chatWebhooks.verifyPlatform",
  "chatWebhooks.verifyPlatformUnderPrefix"
])

const tenantRequest = Effect.gen(function* () {
  const { organization, owner } = yield* givenTenant()
  return { token: owner.token, organization: organization.id }
})

const tags = "/api/v1/tags"

overHttp("when the database is away", layerWeather, (it) => {
  it.effect.each(endpoints)("$id answers so, and how long to wait", (endpoint) =>
    Effect.gen(function* () {
      const tenant = yield* givenTenant()
      const { path, ...what } = yield* validRequest(endpoint, { tenant, person: tenant.owner })
      if (goesOn.has(endpoint.id)) assertStatus(yield* call(endpoint.method, path, what), endpoint.success)
      const weather = yield* StorageWeather
      weather.isAway = true
      const answer = yield* Effect.ensuring(
        call(endpoint.method, path, what),
        Effect.sync(() => {
          weather.isAway = false
        })
      )
      if (goesOn.has(endpoint.id)) return assertStatus(answer, endpoint.success)
      assertProblem(answer, 503, "service_unavailable")
      assert.strictEqual(answer.headers.get("retry-after"), String(answer.body.retryAfterSeconds))
      assert.strictEqual(answer.body.outcomeUnknown, false)
      const again = yield* call(endpoint.method, path, what)
      assertStatus(again, endpoint.success)
    })
  )

  it.effect("a request that changed nothing for certain is repeated", () =>
    Effect.gen(function* () {
      const what = yield* tenantRequest
      const weather = yield* StorageWeather
      weather.units.push("before")
      assertStatus(yield* call("POST", tags, { ...what, body: { name: "once" } }), 201)
      weather.units.push("before", "before")
      assertProblem(yield* call("POST", tags, { ...what, body: { name: "never" } }), 503, "service_unavailable")
      assert.lengthOf(rowsOf(yield* call("GET", tags, what)), 1)
    })
  )

  it.effect.each(["at commit, kept", "at commit, taken back"] as const)(
    "a lost change without a key is not repeated %s",
    (moment) =>
      Effect.gen(function* () {
        const what = yield* tenantRequest
        const weather = yield* StorageWeather
        const before = weather.begun
        weather.units.push(moment)
        const answer = yield* call("POST", tags, { ...what, body: { name: "perhaps" } })
        assertProblem(answer, 503, "service_unavailable")
        assert.strictEqual(answer.body.outcomeUnknown, true)
        assert.include(String(answer.body.detail), "may or may not be stored")
        assert.strictEqual(weather.begun - before, 1)
        assert.lengthOf(rowsOf(yield* call("GET", tags, what)), moment === "at commit, kept" ? 1 : 0)
      })
  )

  it.effect.each(["before", "at commit, kept", "at commit, taken back"] as const)(
    "with a key, a change that is lost %s is made once",
    (moment) =>
      Effect.gen(function* () {
        const what = { ...(yield* tenantRequest), headers: { "idempotency-key": "the-key" } }
        const weather = yield* StorageWeather
        weather.units.push(moment)
        const answer = yield* call("POST", tags, { ...what, body: { name: "keyed" } })
        assertStatus(answer, 201)
        const again = yield* call("POST", tags, { ...what, body: { name: "keyed" } })
        assert.strictEqual(again.text, answer.text)
        assert.lengthOf(rowsOf(yield* call("GET", tags, what)), 1)
      })
  )

  it.effect("a provider call is not repeated", () =>
    Effect.gen(function* () {
      const tenant = yield* givenTenant()
      const endpoint = endpoints.find(({ id }) => id === "chatAccounts.create")
      if (endpoint === undefined) return assert.fail("There is no such endpoint")
      const { path, ...what } = yield* validRequest(endpoint, { tenant, person: tenant.owner })
      const weather = yield* StorageWeather
      weather.units.push("before")
      assertProblem(yield* call(endpoint.method, path, what), 503, "service_unavailable")
      assertStatus(yield* call(endpoint.method, path, what), endpoint.success)
    })
  )

  it.effect("a delivering provider gets a retry answer, and its delivery is stored once", () =>
    Effect.gen(function* () {
      const tenant = yield* givenTenant()
      for (const endpoint of endpoints.filter((one) => isWebhook(one) && one.method === "POST")) {
        const { path, ...what } = yield* validRequest(endpoint, { tenant, person: tenant.owner })
        const weather = yield* StorageWeather
        weather.isAway = true
        const refused = yield* call(endpoint.method, path, what)
        weather.isAway = false
        assertProblem(refused, 503, "service_unavailable")
        assertStatus(yield* call(endpoint.method, path, what), 200)
      }
    })
  )
})
