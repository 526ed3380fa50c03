import { assert } from "@effect/vitest"
import type { Ports } from "@parley/domain/composition"
import { Effect, type Layer } from "effect"
import { assertProblem, assertStatus } from "../harness/answers.ts"
import { call } from "../harness/Http.ts"
import { overHttp } from "../harness/service.ts"
import { givenTenant } from "../harness/tenants.ts"

const ours = "https://app.example"
const alsoOurs = "https://admin.example"
const theirs = "https://evil.example"

const varies = (headers: Headers) => (headers.get("vary") ?? "").toLowerCase().includes("origin")

/** Headers for browsers: security headers, and access for pages of other origins. */
export const browsersSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) => {
  const answersOfAllKinds = Effect.gen(function* () {
    const { organization, owner } = yield* givenTenant()
    const what = { token: owner.token, organization: organization.id }
    return [
      yield* call("GET", "/healthz"),
      yield* call("GET", "/api/v1/organization", what),
      yield* call("HEAD", "/api/v1/organization", what),
      yield* call("PATCH", "/api/v1/organization", { ...what, body: { name: 1 } }),
      yield* call("POST", "/api/v1/auth/logout", what),
      yield* call("GET", "/api/v1/organization"),
      yield* call("GET", "/nowhere"),
      yield* call("PUT", "/healthz"),
      yield* call("GET", "/openapi.json"),
      yield* call("GET", "/.well-known/jwks.json")
    ]
  })

  overHttp(name, ports, (it) => {
    it.effect("every answer bears the security headers", () =>
      Effect.gen(function* () {
        for (const { headers } of yield* answersOfAllKinds) {
          assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
          assert.strictEqual(headers.get("x-frame-options"), "DENY")
          assert.strictEqual(headers.get("referrer-policy"), "no-referrer")
          assert.include(headers.get("content-security-policy") ?? "", "default-src 'none'")
          assert.isNull(headers.get("strict-transport-security"))
          assert.isNull(headers.get("x-powered-by"))
          assert.isNull(headers.get("server"))
          assert.isNotNull(headers.get("cache-control"))
        }
      })
    )

    it.effect("nothing that belongs to a caller is kept by a cache", () =>
      Effect.gen(function* () {
        const { organization, owner } = yield* givenTenant()
        const answer = yield* call("GET", "/api/v1/auth/me", { token: owner.token, organization: organization.id })
        assert.strictEqual(answer.headers.get("cache-control"), "no-store")
      })
    )

    it.effect("no page of another origin may call unless it was configured", () =>
      Effect.gen(function* () {
        const get = yield* call("GET", "/healthz", { headers: { origin: ours } })
        assertStatus(get, 200)
        assert.isNull(get.headers.get("access-control-allow-origin"))
        const preflight = yield* call("OPTIONS", "/api/v1/organization", {
          headers: { origin: ours, "access-control-request-method": "PATCH" }
        })
        assertProblem(preflight, 405, "method_not_allowed")
        assert.isNull(preflight.headers.get("access-control-allow-origin"))
      })
    )
  })

  overHttp(
    `${name}, over https`,
    ports,
    (it) => {
      it.effect("every answer asks for https from now on", () =>
        Effect.gen(function* () {
          for (const { headers } of yield* answersOfAllKinds) {
            assert.match(headers.get("strict-transport-security") ?? "", /^max-age=\d{7,}/)
          }
        })
      )
    },
    { baseUrl: "https://parley.test" }
  )

  for (const origins of [[ours], [ours, alsoOurs]]) {
    overHttp(
      `${name}, with ${origins.length} other origin(s) let in`,
      ports,
      (it) => {
        it.effect.each(origins)("a page of %s may call", (origin) =>
          Effect.gen(function* () {
            const preflight = yield* call("OPTIONS", "/api/v1/organization", {
              headers: {
                origin,
                "access-control-request-method": "PATCH",
                "access-control-request-headers": "authorization,x-organization-id,if-match"
              }
            })
            assertStatus(preflight, 204)
            assert.strictEqual(preflight.headers.get("access-control-allow-origin"), origin)
            assert.include(preflight.headers.get("access-control-allow-methods") ?? "", "PATCH")
            const allowed = (preflight.headers.get("access-control-allow-headers") ?? "").toLowerCase().split(/, */)
            assert.includeMembers(allowed, [
              "authorization",
              "content-type",
              "idempotency-key",
              "if-match",
              "last-event-id",
              "x-organization-id",
              "x-request-id"
            ])
            assert.isNotNull(preflight.headers.get("access-control-max-age"))
            assert.isTrue(varies(preflight.headers))

            const refused = yield* call("GET", "/api/v1/organization", { headers: { origin } })
            assertProblem(refused, 401, "unauthenticated")
            assert.strictEqual(refused.headers.get("access-control-allow-origin"), origin)
            const exposed = (refused.headers.get("access-control-expose-headers") ?? "").toLowerCase().split(/, */)
            assert.includeMembers(exposed, [
              "x-request-id",
              "idempotency-replayed",
              "ratelimit",
              "ratelimit-policy",
              "retry-after",
              "www-authenticate"
            ])
            assert.isTrue(varies(refused.headers))
            assert.isNull(refused.headers.get("access-control-allow-credentials"))
          })
        )

        it.effect.each([theirs, `${ours}.evil.example`, "http://app.example", "null", "https://app.example:444"])(
          "a page of %s may not",
          (origin) =>
            Effect.gen(function* () {
              for (const method of ["OPTIONS", "GET"]) {
                const answer = yield* call(method, "/api/v1/organization", {
                  headers: { origin, "access-control-request-method": "GET" }
                })
                assert.isNull(answer.headers.get("access-control-allow-origin"))
                assert.isTrue(varies(answer.headers))
              }
            })
        )

        it.effect("a failure inside is readable to the page too", () =>
          Effect.gen(function* () {
            const answer = yield* call("GET", "/nowhere", { headers: { origin: ours } })
            assertProblem(answer, 404, "path_not_found")
            assert.strictEqual(answer.headers.get("access-control-allow-origin"), ours)
          })
        )
      },
      { corsOrigins: origins }
    )
  }
}
