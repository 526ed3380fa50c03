import { assert } from "@effect/vitest"
import { rotateSigningKey, TokenSigner } from "@parley/domain/platform"
import type { Ports } from "@parley/domain/composition"
import { DateTime, Effect, type Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { assertProblem, assertStatus } from "../harness/answers.ts"
import { call } from "../harness/Http.ts"
import { overHttp } from "../harness/service.ts"
import { freshId, givenAutomationToken, givenTenant, inside, signIn } from "../harness/tenants.ts"

/** Accepted callers, and the answers to refused callers. */
export const authenticationSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect("the scheme may be written in any case", () =>
      Effect.gen(function* () {
        const { organization, owner } = yield* givenTenant()
        const answer = yield* call("GET", "/api/v1/organization", {
          organization: organization.id,
          headers: { authorization: `bEARER ${Redacted.value(owner.token)}` }
        })
        assertStatus(answer, 200)
      })
    )

    it.effect("a token with one letter changed is not ours", () =>
      Effect.gen(function* () {
        const { organization, owner } = yield* givenTenant()
        const token = Redacted.value(owner.token)
        const middle = Math.floor(token.length / 2)
        const changed = `${token.slice(0, middle)}${token[middle] === "A" ? "B" : "A"}${token.slice(middle + 1)}`
        const answer = yield* call("GET", "/api/v1/organization", { token: changed, organization: organization.id })
        assertProblem(answer, 401, "token_invalid")
      })
    )

    it.effect("a session that does not exist opens nothing, however well its token is signed", () =>
      Effect.gen(function* () {
        const { organization, owner } = yield* givenTenant()
        const other = yield* signIn(owner.user)
        const stranger = yield* givenTenant()
        const token = yield* (yield* TokenSigner).sign(
          { use: "session", userId: stranger.owner.user.id, sessionId: other.sessionId },
          DateTime.add(yield* DateTime.now, { minutes: 5 })
        )
        const answer = yield* call("GET", "/api/v1/organization", { token, organization: organization.id })
        assertProblem(answer, 401, "token_invalid")
      })
    )

    it.effect("an access token is good for 15 minutes and then expired", () =>
      Effect.gen(function* () {
        const { organization, owner } = yield* givenTenant()
        const get = call("GET", "/api/v1/organization", { token: owner.token, organization: organization.id })
        yield* TestClock.adjust("14 minutes")
        assertStatus(yield* get, 200)
        yield* TestClock.adjust("1 minute")
        const expired = yield* get
        assertProblem(expired, 401, "token_expired")
        assert.include(expired.headers.get("www-authenticate") ?? "", 'error_description="token_expired"')
      })
    )

    it.effect("keys rotate without ending sessions, and both are published", () =>
      Effect.gen(function* () {
        const { organization, owner } = yield* givenTenant()
        const get = call("GET", "/api/v1/organization", { token: owner.token, organization: organization.id })
        const before = yield* call("GET", "/.well-known/jwks.json")
        yield* rotateSigningKey().pipe(inside(organization))
        assertStatus(yield* get, 200)
        const again = yield* signIn(owner.user)
        assertStatus(
          yield* call("GET", "/api/v1/organization", { token: again.token, organization: organization.id }),
          200
        )
        const after = yield* call("GET", "/.well-known/jwks.json")
        const count = ({ keys }: Record<string, unknown>) => (Array.isArray(keys) ? keys.length : 0)
        assert.strictEqual(count(after.body), count(before.body) + 1)
        assert.notInclude(after.text, '"d"')
      })
    )

    it.effect("an automation token stays in its organization", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const other = yield* givenTenant()
        const { token } = yield* givenAutomationToken(tenant)
        const inOrganization = (organization: string) => call("GET", "/api/v1/organization", { token, organization })
        assertStatus(yield* inOrganization(tenant.organization.id), 200)
        assertProblem(yield* inOrganization(other.organization.id), 403, "organization_forbidden")
        assertProblem(yield* inOrganization(yield* freshId), 403, "organization_forbidden")
      })
    )
  })
