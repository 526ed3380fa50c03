import { assert } from "@effect/vitest"
import type { Ports } from "@parley/domain/composition"
import { Effect, type Layer } from "effect"
import { assertProblem } from "../harness/answers.ts"
import { endpoints } from "../harness/contract.ts"
import { call } from "../harness/Http.ts"
import { overHttp } from "../harness/service.ts"
import { freshId, givenDocsSession, givenTenant } from "../harness/tenants.ts"

const guarded = endpoints.filter(({ admission }) => admission !== "open" && admission !== "public")

const inOrganization = endpoints.filter(({ admission }) => admission === "organization")

const pathOf = (path: string) => path.replace(":id", "00000000-0000-7000-8000-000000000000")

/** Requests that are refused at the edge, before any user is looked up. */
export const admissionSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect.each(guarded)("$id is refused without a token", ({ method, path }) =>
      Effect.gen(function* () {
        const answer = yield* call(method, pathOf(path))
        assertProblem(answer, 401, "unauthenticated")
        assert.strictEqual(answer.headers.get("www-authenticate"), 'Bearer realm="parley"')
      })
    )

    it.effect.each(guarded)("$id is refused with a token that is not ours", ({ method, path }) =>
      Effect.gen(function* () {
        const answer = yield* call(method, pathOf(path), { token: "not.a.token", organization: yield* freshId })
        assertProblem(answer, 401, "token_invalid")
        assert.strictEqual(
          answer.headers.get("www-authenticate"),
          'Bearer realm="parley", error="invalid_token", error_description="token_invalid"'
        )
      })
    )

    it.effect.each(["", "Bearer", "Bearer ", "Basic YTpi", "Token abc", "bearer"])(
      "the Authorization header %j is no token",
      (authorization) =>
        Effect.gen(function* () {
          const answer = yield* call("GET", "/api/v1/organization", { headers: { authorization } })
          assertProblem(answer, 401, "unauthenticated")
        })
    )

    it.effect("a docs session is refused by everything but the docs endpoints, and an access token by those", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { organization, owner } = tenant
        const docs = yield* givenDocsSession(organization, owner)
        for (const { admission, id, method, path } of guarded) {
          const token = admission === "docs session" ? owner.token : docs
          const answer = yield* call(method, pathOf(path), { token, organization: organization.id })
          assert.deepStrictEqual([id, answer.status, answer.body.code], [id, 401, "token_invalid"])
        }
      })
    )

    it.effect.each(inOrganization)("$id needs the header", ({ method, path }) =>
      Effect.gen(function* () {
        const { owner } = yield* givenTenant()
        assertProblem(yield* call(method, pathOf(path), { token: owner.token }), 400, "organization_header_missing")
      })
    )

    it.effect.each(["", "x", "../..", "00000000-0000-7000-8000-00000000000", "00000000-0000-7000-8000-00000000000g"])(
      "%j is not an organization's id",
      (organization) =>
        Effect.gen(function* () {
          const { owner } = yield* givenTenant()
          const answer = yield* call("GET", "/api/v1/organization", { token: owner.token, organization })
          assertProblem(answer, 400, "organization_header_invalid")
        })
    )

    it.effect("a token is asked for before the header is looked at", () =>
      Effect.gen(function* () {
        assertProblem(yield* call("GET", "/api/v1/organization", { organization: "x" }), 401, "unauthenticated")
        assertProblem(yield* call("GET", "/api/v1/organization", { token: "x" }), 401, "token_invalid")
      })
    )
  })
