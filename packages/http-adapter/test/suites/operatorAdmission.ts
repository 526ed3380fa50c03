import { assert } from "@effect/vitest"
import { OperatorScope, OperatorTokenId } from "@parley/domain/kernel"
import { OperatorTokens, revokeOperatorToken, TokenSigner } from "@parley/domain/platform"
import type { Ports } from "@parley/domain/composition"
import { DateTime, Effect, type Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { assertProblem, assertStatus, withoutRequest } from "../harness/answers.ts"
import { endpoints } from "../harness/contract.ts"
import { declarationOf } from "../harness/declarations.ts"
import { call } from "../harness/Http.ts"
import { validRequest } from "../harness/requests.ts"
import { overHttp } from "../harness/service.ts"
import {
  freshId,
  givenAutomationToken,
  givenDocsSession,
  givenOperatorToken,
  givenTenant,
  operating
} from "../harness/tenants.ts"

const forOperators = endpoints.filter(({ admission }) => admission === "operator")

const guarded = endpoints.filter(
  ({ admission }) => admission !== "open" && admission !== "public" && admission !== "operator"
)

const values: Readonly<Record<string, string>> = { currency: "EUR", validFrom: "2026-10-01" }

const pathOf = ({ path }: (typeof endpoints)[number]) =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => values[name] ?? "00000000-0000-7000-8000-000000000000")

const list = "/api/v1/operator/rate_cards"

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")

/** Replaces or removes the signature of a token. */
const forgeriesOf = (token: string, other: string) => {
  const signed = token.slice(0, token.lastIndexOf("."))
  const signature = token.slice(token.lastIndexOf(".") + 1)
  const claims = token.split(".").at(-2) ?? ""
  return [
    signed,
    `${signed}.`,
    `${signed}.${"A".repeat(signature.length)}`,
    `${signed}.${other.split(".").at(-1)}`,
    `${other.slice(0, other.lastIndexOf("."))}.${signature}`,
    `${token}.${signature}`,
    ...["none", "None", "HS256"].map((alg) => `${base64({ alg, typ: "JWT" })}.${claims}.`),
    ...["none", "EdDSA"].map((alg) => `${base64({ alg, typ: "operator+jwt" })}.${claims}.${signature}`)
  ]
}

/** Who can call the operators' API, and where an operator token is refused. */
export const operatorAdmissionSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) => {
  overHttp(name, ports, (it) => {
    it.effect("every endpoint for operators declares a scope, and no other use case has one without an endpoint", () =>
      Effect.sync(() => {
        assert.isNotEmpty(forOperators)
        for (const endpoint of forOperators) {
          const declaration = declarationOf(endpoint)
          assert.strictEqual(declaration?.access, "operator", endpoint.id)
          assert.isDefined(declaration?.operatorScope, endpoint.id)
          assert.isTrue(endpoint.path.startsWith("/api/v1/operator/"), endpoint.id)
        }
        for (const endpoint of endpoints) {
          if (endpoint.admission !== "operator") assert.isUndefined(declarationOf(endpoint)?.operatorScope, endpoint.id)
        }
      })
    )

    it.effect.each(forOperators)("$id needs its scope, and no other scope helps", (endpoint) =>
      Effect.gen(function* () {
        const needed = declarationOf(endpoint)?.operatorScope
        const tenant = yield* givenTenant()
        const { path, ...what } = yield* validRequest(endpoint, { tenant, person: tenant.owner })
        const [first, ...others] = OperatorScope.literals.filter((scope) => scope !== needed)
        if (needed === undefined || first === undefined) return assert.fail("The endpoint has no scope.")
        const { token: without } = yield* givenOperatorToken({ scopes: [first, ...others] })
        const refused = yield* call(endpoint.method, path, { ...what, token: without })
        assertProblem(refused, 403, "scope_denied")
        assert.strictEqual(refused.body.scope, needed)
        const { token } = yield* givenOperatorToken({ scopes: [needed] })
        assertStatus(yield* call(endpoint.method, path, { ...what, token }), endpoint.success)
      })
    )

    it.effect("an operator token is refused by every other endpoint, with and without an organization", () =>
      Effect.gen(function* () {
        const { organization } = yield* givenTenant()
        const { token } = yield* givenOperatorToken()
        for (const endpoint of guarded) {
          for (const header of [{ organization: organization.id }, {}]) {
            const answer = yield* call(endpoint.method, pathOf(endpoint), { token, ...header })
            assert.deepStrictEqual([endpoint.id, answer.status, answer.body.code], [endpoint.id, 401, "token_invalid"])
          }
        }
      })
    )

    it.effect("tokens of people, programs and readers of the documentation are refused by every endpoint here", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { organization, owner } = tenant
        const { token: automation } = yield* givenAutomationToken(tenant)
        const tokens = [owner.token, owner.refreshToken, automation, yield* givenDocsSession(organization, owner)]
        for (const endpoint of forOperators) {
          for (const token of tokens) {
            const answer = yield* call(endpoint.method, pathOf(endpoint), { token, organization: organization.id })
            assertProblem(answer, 401, "token_invalid")
          }
          assertProblem(yield* call(endpoint.method, pathOf(endpoint)), 401, "unauthenticated")
        }
      })
    )

    it.effect("a forged operator token is refused", () =>
      Effect.gen(function* () {
        const { token } = yield* givenOperatorToken()
        const { token: other } = yield* givenOperatorToken({ scopes: ["usage.read"] })
        for (const forged of forgeriesOf(Redacted.value(token), Redacted.value(other))) {
          assertProblem(yield* call("GET", list, { token: forged }), 401, "token_invalid")
        }
        assertStatus(yield* call("GET", list, { token }), 200)
      })
    )

    it.effect("a well-signed token without a stored operator token is refused", () =>
      Effect.gen(function* () {
        const id = OperatorTokenId.make(yield* freshId)
        const token = yield* (yield* TokenSigner).sign(
          { use: "operator", tokenId: id },
          DateTime.add(yield* DateTime.now, { days: 1 })
        )
        assertProblem(yield* call("GET", list, { token }), 401, "token_invalid")
      })
    )

    it.effect("a revoked token is refused by the next request", () =>
      Effect.gen(function* () {
        const { operatorToken, token } = yield* givenOperatorToken()
        assertStatus(yield* call("GET", list, { token }), 200)
        yield* revokeOperatorToken({ id: operatorToken.id }).pipe(operating)
        assertProblem(yield* call("GET", list, { token }), 401, "token_revoked")
      })
    )

    it.effect("a token is refused from its expiry on, also if only the stored expiry has passed", () =>
      Effect.gen(function* () {
        const now = yield* DateTime.now
        const { operatorToken, token } = yield* givenOperatorToken({ expiresAt: DateTime.add(now, { hours: 2 }) })
        const longer = yield* (yield* TokenSigner).sign(
          { use: "operator", tokenId: operatorToken.id },
          DateTime.add(now, { days: 2 })
        )
        yield* TestClock.adjust("119 minutes")
        assertStatus(yield* call("GET", list, { token }), 200)
        yield* TestClock.adjust("1 minute")
        assertProblem(yield* call("GET", list, { token }), 401, "token_expired")
        assertProblem(yield* call("GET", list, { token: longer }), 401, "token_revoked")
      })
    )

    it.effect("a token with networks is accepted from these addresses only", () =>
      Effect.gen(function* () {
        const { token } = yield* givenOperatorToken({ allowedAddresses: ["203.0.113.0/24", "2001:db8:1::/48"] })
        const from = (address: string) => call("GET", list, { token, headers: { "x-forwarded-for": address } })
        for (const address of ["203.0.113.1", "203.0.113.255", "::ffff:203.0.113.7", "2001:db8:1::9"]) {
          assertStatus(yield* from(address), 200)
        }
        for (const address of ["203.0.112.255", "198.51.100.1", "2001:db8:2::9", "::ffff:198.51.100.1", "unknown"]) {
          assertProblem(yield* from(address), 403, "address_not_allowed")
        }
        // A caller cannot put an allowed address in front of the one that the proxy appends.
        assertProblem(yield* from("203.0.113.1, 198.51.100.1"), 403, "address_not_allowed")
        assertProblem(yield* call("GET", list, { token }), 403, "address_not_allowed")
      })
    )

    it.effect("X-Organization-Id is not read", () =>
      Effect.gen(function* () {
        const { organization } = yield* givenTenant()
        const { token } = yield* givenOperatorToken()
        const answers = yield* Effect.forEach([undefined, organization.id, yield* freshId, "not an id"], (header) =>
          call("GET", `${list}?limit=1`, { token, organization: header })
        )
        for (const answer of answers) assertStatus(answer, 200)
        assert.strictEqual(new Set(answers.map(({ text }) => text)).size, 1)
      })
    )

    it.effect("the last use is recorded, once a minute", () =>
      Effect.gen(function* () {
        const { operatorToken, token } = yield* givenOperatorToken()
        const tokens = yield* OperatorTokens
        const lastUse = Effect.map(tokens.find(operatorToken.id), (found) =>
          found?.lastUsedAt === null || found === null ? null : DateTime.formatIso(found.lastUsedAt)
        )
        const at = DateTime.formatIso(yield* DateTime.now)
        yield* call("GET", list, { token })
        assert.strictEqual(yield* lastUse, at)
        yield* TestClock.adjust("30 seconds")
        yield* call("GET", list, { token })
        assert.strictEqual(yield* lastUse, at)
        yield* TestClock.adjust("31 seconds")
        yield* call("GET", list, { token })
        assert.strictEqual(yield* lastUse, DateTime.formatIso(yield* DateTime.now))
      })
    )

    it.effect("no path issues operator tokens: only the database does", () =>
      Effect.gen(function* () {
        const { token } = yield* givenOperatorToken()
        for (const path of ["/api/v1/operator/tokens", "/api/v1/operator/token", "/api/v1/operator"]) {
          assertProblem(yield* call("POST", path, { token, body: {} }), 404, "path_not_found")
        }
      })
    )
  })

  overHttp(
    `${name}, off`,
    ports,
    (it) => {
      it.effect("every path is answered like an unknown path, for every method and token", () =>
        Effect.gen(function* () {
          const { token } = yield* givenOperatorToken()
          const tenant = yield* givenTenant()
          const unknown = "/api/v1/operator/nothing"
          for (const endpoint of forOperators) {
            for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]) {
              for (const what of [{ token }, { token: tenant.owner.token }, { token: "x.y.z" }, {}]) {
                const body = method === "GET" || method === "HEAD" ? {} : { body: { rates: 1 } }
                const answer = yield* call(method, pathOf(endpoint), { ...what, ...body })
                const expected = yield* call(method, unknown, { ...what, ...body })
                assert.deepStrictEqual(withoutRequest(answer), withoutRequest(expected), `${method} ${endpoint.path}`)
                assert.strictEqual(answer.status, 404)
              }
            }
          }
          for (const path of [
            "/api/v1/%6Fperator/rate_cards",
            "/api/v1/operator/rate_cards/%ff/x",
            `${list}?limit=0`
          ]) {
            assertStatus(yield* call("GET", path, { token }), 404)
          }
        })
      )
    },
    { operatorApi: "off" }
  )

  overHttp(
    `${name}, with its limit`,
    ports,
    (it) => {
      it.effect("a token has its own limit of requests", () =>
        Effect.gen(function* () {
          const { token } = yield* givenOperatorToken()
          const { token: other } = yield* givenOperatorToken()
          for (let count = 0; count < 3; count++) assertStatus(yield* call("GET", list, { token }), 200)
          assertProblem(yield* call("GET", list, { token }), 429, "rate_limited")
          assertStatus(yield* call("GET", list, { token: other }), 200)
        })
      )
    },
    { rateLimits: { tokenPerMinute: 100, organizationPerMinute: 100, addressPerMinute: 100, operatorPerMinute: 3 } }
  )
}
