import { assert } from "@effect/vitest"
import type { Ports } from "@parley/domain/composition"
import { Effect, type Layer } from "effect"
import { assertStatus, rowsOf } from "../harness/answers.ts"
import { endpoints } from "../harness/contract.ts"
import { forgetOtherFiles, noteSecret, readable, secretCount, secretsIn } from "../harness/Evidence.ts"
import { call } from "../harness/Http.ts"
import { validRequest } from "../harness/requests.ts"
import { overHttp } from "../harness/service.ts"
import { freshText, givenTenant, password } from "../harness/tenants.ts"

/** Sends a valid request to every endpoint, with a key where supported, and reads the remaining data. */
export const useEverything = Effect.gen(function* () {
  for (const endpoint of endpoints) {
    const tenant = yield* givenTenant()
    const { path, ...what } = yield* validRequest(endpoint, { tenant, person: tenant.owner })
    const headers = { ...what.headers, ...(endpoint.isIdempotent && { "idempotency-key": yield* freshText("key") }) }
    const answer = yield* call(endpoint.method, path, { ...what, headers })
    assertStatus(answer, endpoint.success)
    const reader = { token: (yield* givenTenant()).owner.token, organization: tenant.organization.id }
    assert.strictEqual((yield* call("GET", "/api/v1/audit_events", reader)).status, 403)
  }
})

/**
 * No secret shows up where it may be read. It looks at everything that the suites before it in the same file have left:
 * run it last.
 */
export const secrecySuite = <E>(name: string, ports: Layer.Layer<Ports, E>) => {
  // The suites of a file are put together before the first of its tests runs.
  forgetOtherFiles()
  noteSecret(password)
  overHttp(name, ports, (it) => {
    it("the search finds what it is for", () => {
      assert.isNotEmpty(secretsIn(`{"message":"logged in with ${password}, alas"}`))
      assert.isEmpty(secretsIn("nothing to see"))
    })

    it.effect(
      "no password, token, code or key is in a log, a problem, an audit event or an event",
      () =>
        Effect.gen(function* () {
          yield* useEverything
          const tenant = yield* givenTenant()
          const what = { token: tenant.owner.token, organization: tenant.organization.id }
          for (const endpoint of endpoints.filter(({ method }) => method !== "GET")) {
            const { path, ...request } = yield* validRequest(endpoint, { tenant, person: tenant.owner })
            if (endpoint.id !== "account.changePassword") yield* call(endpoint.method, path, request)
            yield* call(endpoint.method, path, { ...request, headers: { "if-match": "9" } })
          }
          assert.isNotEmpty(rowsOf(yield* call("GET", "/api/v1/audit_events?limit=100", what)))
          assert.isNotEmpty(rowsOf(yield* call("GET", "/api/v1/events?limit=100", what)))

          const { logs, open, problems } = readable()
          assert.isAbove(secretCount(), 100)
          for (const texts of [logs, open, problems]) {
            assert.isNotEmpty(texts)
            assert.isEmpty(texts.flatMap(secretsIn))
          }
        }),
      60_000
    )
  })
}
