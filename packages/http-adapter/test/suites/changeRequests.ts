import { assert } from "@effect/vitest"
import type { Ports } from "@parley/domain/composition"
import { Effect, type Layer } from "effect"
import { assertProblem, assertStatus, pointersOf } from "../harness/answers.ts"
import { endpoints, readsJson, requestFields } from "../harness/contract.ts"
import { call } from "../harness/Http.ts"
import { validRequest } from "../harness/requests.ts"
import { overHttp } from "../harness/service.ts"
import { givenTenant } from "../harness/tenants.ts"

const versioned = endpoints.filter((endpoint) => requestFields(endpoint).some(({ name }) => name === "if-match"))

const withBody = endpoints.filter(readsJson)

/** Accepted and refused bodies of every change request. */
export const changeRequestsSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect.each(withBody)("$id refuses a field that it does not know", (endpoint) =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { body, path, ...what } = yield* validRequest(endpoint, { tenant, person: tenant.owner })
        const known = typeof body === "object" && body !== null ? body : {}
        const answer = yield* call(endpoint.method, path, { ...what, body: { ...known, "a/b~c": 1, surprise: {} } })
        assertProblem(answer, 400, "validation_failed")
        assert.deepStrictEqual(pointersOf(answer), ["/a~1b~0c", "/surprise"])
        assertStatus(yield* call(endpoint.method, path, { ...what, body }), endpoint.success)
      })
    )

    it.effect.each(versioned)("$id refuses an If-Match that is no version", (endpoint) =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { path, ...what } = yield* validRequest(endpoint, { tenant, person: tenant.owner })
        for (const tag of ['W/"1"', "*", '"1', '1"', '""', "one", "-1", "1.0", "99999999999", '"1", "2"']) {
          const answer = yield* call(endpoint.method, path, { ...what, headers: { "if-match": tag } })
          assertProblem(answer, 400, "validation_failed")
          assert.deepStrictEqual(pointersOf(answer), ["/headers/if-match"], tag)
        }
      })
    )
  })
