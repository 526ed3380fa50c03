import { assert } from "@effect/vitest"
import { Organizations } from "@parley/domain/platform"
import type { Ports } from "@parley/domain/composition"
import { Effect, Layer } from "effect"
import { goesWithoutBody } from "../../src/api/describe.ts"
import { readable } from "../harness/Evidence.ts"
import { call } from "../harness/Http.ts"
import { assertProblem, assertStatus, pointersOf } from "../harness/answers.ts"
import { endpoints, readsFiles, readsJson } from "../harness/contract.ts"
import { validRequest } from "../harness/requests.ts"
import { overHttp } from "../harness/service.ts"
import { freshText, givenAutomation, givenTenant } from "../harness/tenants.ts"

const paths = Array.from(new Set(endpoints.map(({ path }) => path)), (path) => ({ path }))

/** A word in a path may also be read as an id that does not exist. */
const isAt =
  (path: string) =>
  ({ path: known }: { readonly path: string }) =>
    known === path || new RegExp(`^${known.replaceAll(/:\w+/g, "[^/]+")}$`).test(path)

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY"]
const someId = "00000000-0000-7000-8000-000000000000"

const withBody = endpoints.filter(readsJson)

/** Errors before a use case is reached, and internal errors. */
export const problemsSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) => {
  overHttp(name, ports, (it) => {
    it.effect.each([
      "/",
      "/nowhere",
      "/api",
      "/api/v1",
      "/api/v2/organization",
      "/api/v1/organizations",
      "/api/v1/organization/extra",
      "/api/v1/organization%2f",
      "/api/v1/organization%00",
      "/API/v1/organization",
      "//api/v1/organization",
      "/api//v1/organization",
      `/api/v1/automations/${someId}/enable/now`,
      "/.env",
      "/healthz/x"
    ])("there is nothing at %s", (path) =>
      Effect.gen(function* () {
        assertProblem(yield* call("GET", path), 404, "path_not_found")
      })
    )

    it.effect.each(paths)("$path says which methods it knows", ({ path }) =>
      Effect.gen(function* () {
        const known = new Set(endpoints.filter(isAt(path)).map(({ method }) => method))
        const allowed = known.has("GET") ? [...known, "HEAD"] : [...known]
        for (const method of methods.filter((method) => !allowed.includes(method))) {
          for (const spelled of [path, `${path}?limit=1`, `${path}/`]) {
            const answer = yield* call(method, spelled.replaceAll(/:\w+/g, someId))
            assertProblem(answer, 405, "method_not_allowed")
            assert.strictEqual(answer.headers.get("allow"), allowed.toSorted().join(", "))
            assert.deepStrictEqual(answer.body.allowed, allowed.toSorted())
          }
        }
      })
    )

    // A state is valid once.
    it.effect.each(endpoints.filter(({ id, method }) => method === "GET" && id !== "storeCallbacks.receive"))(
      "$id answers HEAD like GET, without a body",
      (endpoint) =>
        Effect.gen(function* () {
          const tenant = yield* givenTenant()
          const { path, ...what } = yield* validRequest(endpoint, { tenant, person: tenant.owner })
          const [get, head] = [yield* call("GET", path, what), yield* call("HEAD", path, what)]
          assert.strictEqual(head.text, "")
          assert.strictEqual(head.status, get.status)
          const leavesATrace = endpoint.id === "contacts.exportOne"
          for (const name of ["content-type", "cache-control", ...(leavesATrace ? [] : ["content-length"])]) {
            assert.strictEqual(head.headers.get(name), get.headers.get(name), name)
          }
        })
    )

    it.effect.each(withBody)("$id reads JSON only", (endpoint) =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { body, path, ...what } = yield* validRequest(endpoint, { tenant, person: tenant.owner })
        const text = JSON.stringify(body)
        for (const type of [
          "text/plain",
          "application/x-www-form-urlencoded",
          "multipart/form-data; boundary=x",
          "application/xml",
          "*/*"
        ]) {
          const answer = yield* call(endpoint.method, path, { ...what, text, headers: { "content-type": type } })
          assertProblem(answer, 415, "unsupported_media_type")
        }
        const answer = yield* call(endpoint.method, path, {
          ...what,
          text,
          headers: { "content-type": "Application/JSON; charset=UTF-8" }
        })
        assertStatus(answer, endpoint.success)
      })
    )

    it.effect.each(withBody)("$id says that a body is not JSON", (endpoint) =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { body: _, path, ...what } = yield* validRequest(endpoint, { tenant, person: tenant.owner })
        for (const text of ["{", "x", '{"a":1} x', "{'a':1}", "\u0000", '{"a":1,}', "NaN", "[".repeat(20)]) {
          const answer = yield* call(endpoint.method, path, { ...what, text })
          assertProblem(answer, 400, "validation_failed")
          assert.deepStrictEqual(answer.body.errors, [{ pointer: "", message: "Expected valid JSON" }], text)
        }
        const empty = goesWithoutBody(endpoint.contract) ? [] : ["", "null"]
        for (const text of [...empty, "1", '"x"', "[]", "true"]) {
          const answer = yield* call(endpoint.method, path, { ...what, text })
          assertProblem(answer, 400, "validation_failed")
          assert.deepStrictEqual(pointersOf(answer), [""], text)
          if (text === "") assert.include(answer.text, "Expected a JSON body, such as {}")
        }
      })
    )

    it.effect.each(
      endpoints.filter(
        (endpoint) => ["POST", "PUT", "PATCH", "DELETE"].includes(endpoint.method) && !readsFiles(endpoint)
      )
    )("$id refuses a body that is nested too deeply", (endpoint) =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { body: _, path, ...what } = yield* validRequest(endpoint, { tenant, person: tenant.owner })
        const nested = (depth: number) => `${'{"a":['.repeat(depth / 2)}${"]}".repeat(depth / 2)}`
        for (const text of [nested(34), nested(100_000), "[".repeat(500_000)]) {
          const answer = yield* call(endpoint.method, path, { ...what, text })
          assertProblem(answer, 400, "validation_failed")
          assert.include(answer.text, "at most 32 nested levels")
        }
      })
    )

    it.effect("every error of a request is reported, in all its parts", () =>
      Effect.gen(function* () {
        const { organization, owner } = yield* givenTenant()
        const what = { token: owner.token, organization: organization.id }
        const issued = yield* call("POST", "/api/v1/auth/tokens", {
          ...what,
          body: { name: " x", permissions: ["audit.read", "everything", 7], expiresAt: "tomorrow", "": 1 }
        })
        assertProblem(issued, 400, "validation_failed")
        assert.deepStrictEqual(pointersOf(issued), ["/", "/expiresAt", "/name", "/permissions/1", "/permissions/2"])

        const login = yield* call("POST", "/api/v1/auth/login", { body: { password: 1, organizationId: "x" } })
        assert.deepStrictEqual(pointersOf(login), ["/email", "/organizationId", "/password"])

        const { id } = yield* givenAutomation(organization)
        const everywhere = yield* call("PATCH", `/api/v1/automations/${id.toUpperCase()}x`, {
          ...what,
          headers: { "if-match": "latest" },
          body: { name: "", color: "red" }
        })
        assert.deepStrictEqual(pointersOf(everywhere), ["/color", "/headers/if-match", "/name", "/path/id"])
        const withoutJson = yield* call("PATCH", "/api/v1/automations/x", { ...what, text: "{" })
        assert.deepStrictEqual(pointersOf(withoutJson), ["", "/path/id"])

        const query = yield* call("GET", "/api/v1/audit_events?limit=0&from=x&to=y&who=me", what)
        assert.deepStrictEqual(pointersOf(query), ["/query/from", "/query/limit", "/query/to", "/query/who"])
      })
    )

    it.effect("an error does not repeat values in place of a secret", () =>
      Effect.gen(function* () {
        const { owner } = yield* givenTenant()
        const canary = "8675309867530986753098675309"
        const bodies: ReadonlyArray<readonly [string, unknown]> = [
          ["/api/v1/auth/login", { email: "a@b.example", password: Number(canary) }],
          ["/api/v1/auth/login", { email: "a@b.example", password: [canary] }],
          ["/api/v1/auth/login", { email: "a@b.example", password: canary.repeat(100) }],
          ["/api/v1/auth/refresh", { refreshToken: { token: canary } }],
          ["/api/v1/auth/refresh", { refreshToken: canary.repeat(1000) }],
          ["/api/v1/auth/invitations/accept", { token: 1, name: "A", password: canary.repeat(20) }],
          ["/api/v1/auth/password", { currentPassword: { a: canary }, newPassword: canary.repeat(20) }]
        ]
        for (const [path, body] of bodies) {
          const answer = yield* call("POST", path, { token: owner.token, body })
          assertProblem(answer, 400, "validation_failed")
          assert.notInclude(answer.text, "86753098675309")
          assert.notInclude(answer.text, "8.67530986753")
        }
        const malformed = yield* call("POST", "/api/v1/docs/exchange", { body: { code: [canary] } })
        assertProblem(malformed, 400, "docs_code_invalid")
        assert.notInclude(malformed.text, "86753098675309")
      })
    )
  })

  const cause = "the disk is on fire at /var/lib/inside"

  overHttp(
    `${name}, when something breaks inside`,
    Layer.merge(
      ports,
      Layer.succeed(
        Organizations,
        Organizations.of({
          current: () => Effect.die(new Error(cause)),
          save: () => Effect.die(new Error(cause))
        })
      )
    ),
    (it) => {
      it.effect("the answer tells nothing of the inside, and the log tells all of it", () =>
        Effect.gen(function* () {
          const { organization, owner } = yield* givenTenant()
          const requestId = yield* freshText("defect")
          const answer = yield* call("GET", "/api/v1/organization", {
            token: owner.token,
            organization: organization.id,
            headers: { "x-request-id": requestId }
          })
          assertProblem(answer, 500, "internal_error")
          assert.deepStrictEqual(Object.keys(answer.body).toSorted(), [
            "code",
            "detail",
            "requestId",
            "status",
            "title",
            "type"
          ])
          assert.notMatch(answer.text, /disk|inside|Error:|\.ts|stack/)
          assert.strictEqual(answer.body.requestId, requestId)
          const line = readable().logs.find((line) => line.includes(requestId) && line.includes(cause))
          assert.isDefined(line)
          assert.include(line, organization.id)
          assert.include(line, "/api/v1/organization")
        })
      )
    }
  )
}
