import { assert } from "@effect/vitest"
import type { Ports } from "@parley/domain/composition"
import { putPlugin, tokenOfPlugin } from "@parley/testkit"
import { Effect, type Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { assertProblem, assertStatus } from "../harness/answers.ts"
import { type Answer, call } from "../harness/Http.ts"
import { overHttp } from "../harness/service.ts"
import { givenAutomationToken, givenPerson, givenTenant, signIn } from "../harness/tenants.ts"

const rateLimits = { tokenPerMinute: 5, organizationPerMinute: 8, addressPerMinute: 4 }

const assertLimited = (answer: Answer, limit: number) => {
  assertProblem(answer, 429, "rate_limited")
  const seconds = Number(answer.headers.get("retry-after"))
  assert.isAtLeast(seconds, 1)
  assert.isAtMost(seconds, 60)
  assert.strictEqual(answer.body.retryAfterSeconds, seconds)
  assert.strictEqual(answer.headers.get("ratelimit-policy"), `"default";q=${limit};w=60`)
  assert.strictEqual(answer.headers.get("ratelimit"), `"default";r=0;t=${seconds}`)
}

/** Rate limits of a token, an organization and an address. */
export const rateLimitsSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(
    name,
    ports,
    (it) => {
      it.effect("a session has a limit of calls per minute and sees its remaining calls", () =>
        Effect.gen(function* () {
          const { organization, owner } = yield* givenTenant()
          const send = call("GET", "/api/v1/organization", { token: owner.token, organization: organization.id })
          for (const left of [4, 3, 2, 1, 0]) {
            const answer = yield* send
            assertStatus(answer, 200)
            assert.strictEqual(answer.headers.get("ratelimit-policy"), '"default";q=5;w=60')
            assert.match(answer.headers.get("ratelimit") ?? "", new RegExp(`^"default";r=${left};t=\\d+$`))
          }
          assertLimited(yield* send, 5)
          yield* TestClock.adjust("59 seconds")
          assertLimited(yield* send, 5)
          yield* TestClock.adjust("1 second")
          assertStatus(yield* send, 200)
        })
      )

      it.effect("one session's calls are not another's, not even of the same person", () =>
        Effect.gen(function* () {
          const { organization, owner } = yield* givenTenant()
          const other = yield* signIn(owner.user)
          const send = (token: typeof owner.token) =>
            call("GET", "/api/v1/auth/me", { token, organization: organization.id })
          for (let count = 0; count < 5; count++) assertStatus(yield* send(owner.token), 200)
          assertLimited(yield* send(owner.token), 5)
          assertStatus(yield* send(other.token), 200)
        })
      )

      it.effect("all tokens of a plugin make no more calls than one", () =>
        Effect.gen(function* () {
          const { organization } = yield* givenTenant("scale")
          const { id } = yield* putPlugin(organization)
          const [one, other] = [yield* tokenOfPlugin(organization, id), yield* tokenOfPlugin(organization, id)]
          const send = (token: typeof one) =>
            call("GET", "/api/v1/contacts", { token: Redacted.value(token), organization: organization.id })
          for (const token of [one, other, one, other, one]) assertStatus(yield* send(token), 200)
          assertLimited(yield* send(other), 5)
        })
      )

      it.effect("all tokens of an organization share its limit, and another organization does not feel it", () =>
        Effect.gen(function* () {
          const tenant = yield* givenTenant()
          const { organization, owner } = tenant
          const { token } = yield* givenAutomationToken(tenant)
          const agent = yield* givenPerson(organization)
          const send = (by: typeof token) =>
            call("GET", "/api/v1/organization", { token: by, organization: organization.id })
          for (const by of [owner.token, token, agent.token, owner.token, token, agent.token, owner.token, token]) {
            assertStatus(yield* send(by), 200)
          }
          assertLimited(yield* send(agent.token), 8)
          const elsewhere = yield* givenTenant()
          const answer = yield* call("GET", "/api/v1/organization", {
            token: elsewhere.owner.token,
            organization: elsewhere.organization.id
          })
          assertStatus(answer, 200)
        })
      )

      it.effect("a caller naming a foreign organization uses nothing of its limit", () =>
        Effect.gen(function* () {
          const { organization, owner } = yield* givenTenant()
          for (let strangers = 0; strangers < 4; strangers++) {
            const { owner: stranger } = yield* givenTenant()
            for (let count = 0; count < 4; count++) {
              const { token } = stranger
              const refused = yield* call("GET", "/api/v1/organization", { token, organization: organization.id })
              assertProblem(refused, 403, "organization_forbidden")
            }
          }
          const answer = yield* call("GET", "/api/v1/organization", {
            token: owner.token,
            organization: organization.id
          })
          assertStatus(answer, 200)
        })
      )

      it.effect("callers without a token are counted by their address", () =>
        Effect.gen(function* () {
          const from = (address: string) =>
            call("POST", "/api/v1/docs/exchange", { headers: { "x-forwarded-for": address }, body: { code: "x" } })
          for (let count = 0; count < 4; count++) assertProblem(yield* from("198.51.100.7"), 400, "docs_code_invalid")
          assertLimited(yield* from("198.51.100.7"), 4)
          assertProblem(yield* from("198.51.100.8"), 400, "docs_code_invalid")
          yield* TestClock.adjust("1 minute")
          assertProblem(yield* from("198.51.100.7"), 400, "docs_code_invalid")
        })
      )

      it.effect("what a caller writes into X-Forwarded-For before our proxy does not make it another caller", () =>
        Effect.gen(function* () {
          const from = (forwarded: string) =>
            call("GET", "/.well-known/jwks.json", { headers: { "x-forwarded-for": forwarded } })
          for (let count = 0; count < 4; count++) assertStatus(yield* from(`10.0.0.${count}, 203.0.113.9`), 200)
          assertLimited(yield* from("10.9.9.9, 203.0.113.9"), 4)
        })
      )

      it.effect("one IPv6 network is one caller, and so is an IPv4 address written as IPv6", () =>
        Effect.gen(function* () {
          const from = (address: string) =>
            call("GET", "/.well-known/jwks.json", { headers: { "x-forwarded-for": address } })
          for (const host of [":1", ":2", "a:b:c:d", ":ffff"]) assertStatus(yield* from(`2001:db8:7:7:${host}`), 200)
          assertLimited(yield* from("2001:db8:7:7::9"), 4)
          assertStatus(yield* from("2001:db8:7:8::9"), 200)
          for (const spelling of ["192.0.2.33", "::ffff:192.0.2.33", "192.0.2.33", "::ffff:c000:221"]) {
            assertStatus(yield* from(spelling), 200)
          }
          assertLimited(yield* from("192.0.2.33"), 4)
        })
      )

      it.effect("the port that a proxy writes behind an address does not make it another caller", () =>
        Effect.gen(function* () {
          const from = (address: string) =>
            call("GET", "/.well-known/jwks.json", { headers: { "x-forwarded-for": `10.0.0.1, ${address}` } })
          for (const port of ["", ":443", ":5678", ":65535"]) assertStatus(yield* from(`192.0.2.77${port}`), 200)
          assertLimited(yield* from("192.0.2.77:1"), 4)
          assertStatus(yield* from("192.0.2.78:443"), 200)
          for (const spelling of [
            "[2001:db8:9:9::1]:443",
            "[2001:db8:9:9::2]",
            "2001:db8:9:9::3",
            "[2001:db8:9:9::1]:1"
          ]) {
            assertStatus(yield* from(spelling), 200)
          }
          assertLimited(yield* from("[2001:db8:9:9::4]:5678"), 4)
          assertStatus(yield* from("[2001:db8:9:a::1]:443"), 200)
        })
      )

      it.effect("health is never limited", () =>
        Effect.gen(function* () {
          for (let count = 0; count < 12; count++) assertStatus(yield* call("GET", "/healthz"), 200)
        })
      )

      it.effect("a foreign token uses no limit", () =>
        Effect.gen(function* () {
          const { organization, owner } = yield* givenTenant()
          for (let count = 0; count < 12; count++) {
            const answer = yield* call("GET", "/api/v1/organization", { token: "x.y.z", organization: organization.id })
            assertProblem(answer, 401, "token_invalid")
          }
          const answer = yield* call("GET", "/api/v1/organization", {
            token: owner.token,
            organization: organization.id
          })
          assertStatus(answer, 200)
        })
      )
    },
    { rateLimits }
  )
