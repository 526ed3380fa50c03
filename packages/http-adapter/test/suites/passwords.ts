import { assert } from "@effect/vitest"
import type { Ports } from "@parley/domain"
import { Effect, type Layer, Redacted } from "effect"
import { assertProblem, assertStatus, withoutRequest } from "../harness/answers.ts"
import { call } from "../harness/Http.ts"
import { overHttp } from "../harness/service.ts"
import { freshId, givenPasswordReset, givenPerson, givenTenant, givenUser, password } from "../harness/tenants.ts"

const renewed = "chosen by the owner of the mailbox"

const forgot = (email: string, address = "192.0.2.1") =>
  call("POST", "/api/v1/auth/password/forgot", { body: { email }, headers: { "x-forwarded-for": address } })

const reset = (token: string, chosen = renewed) =>
  call("POST", "/api/v1/auth/password/reset", { body: { token, password: chosen } })

const logIn = (email: string, tried: string) => call("POST", "/api/v1/auth/login", { body: { email, password: tried } })

/** A forgotten password. */
export const passwordsSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect("whoever asks learns nothing of the address, however often", () =>
      Effect.gen(function* () {
        const { email } = yield* givenUser({})
        const unknown = `${yield* freshId}@people.test`
        for (let time = 0; time < 5; time++) {
          const [ofKnown, ofUnknown] = [yield* forgot(email), yield* forgot(unknown)]
          assertStatus(ofKnown, 204)
          assert.deepStrictEqual(withoutRequest(ofKnown), withoutRequest(ofUnknown))
        }
      })
    )

    it.effect("an address that asks on and on is told to wait, and nobody else", () =>
      Effect.gen(function* () {
        const address = "192.0.2.77"
        for (let time = 0; time < 30; time++) assertStatus(yield* forgot(`${yield* freshId}@p.test`, address), 204)
        const answer = yield* forgot(`${yield* freshId}@p.test`, address)
        assertProblem(answer, 429, "mail_throttled")
        assert.strictEqual(answer.headers.get("retry-after"), "3600")
        assertStatus(yield* forgot(`${yield* freshId}@p.test`, "192.0.2.78"), 204)
      })
    )

    it.effect("a link sets a new password, once, and ends every session", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const person = yield* givenPerson(tenant.organization)
        const { email } = person.user
        const token = Redacted.value(yield* givenPasswordReset(email))
        const me = () => call("GET", "/api/v1/auth/me", { token: person.token, organization: tenant.organization.id })
        assertStatus(yield* me(), 200)
        assertStatus(yield* reset(token), 204)
        assertProblem(yield* me(), 401, "token_revoked")
        assertProblem(yield* logIn(email, password), 401, "invalid_credentials")
        assertStatus(yield* logIn(email, renewed), 200)
        assertProblem(yield* reset(token, "yet another password"), 400, "password_reset_invalid")
      })
    )

    it.effect("of many uses of one link at once, one succeeds", () =>
      Effect.gen(function* () {
        const { email } = yield* givenUser({})
        const token = Redacted.value(yield* givenPasswordReset(email))
        const answers = yield* Effect.replicateEffect(
          Effect.suspend(() => reset(token)),
          4,
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [204, 400, 400, 400])
      })
    )

    it.effect("a link of nobody, a used and a malformed one are one answer", () =>
      Effect.gen(function* () {
        const nobody = Redacted.value(yield* givenPasswordReset(`${yield* freshId}@people.test`))
        const answers = yield* Effect.forEach([nobody, "A".repeat(43), "", "not a token", "\u{1F950}"], (token) =>
          reset(token)
        )
        for (const answer of answers) {
          assertProblem(answer, 400, "password_reset_invalid")
          assert.deepStrictEqual(withoutRequest(answer), withoutRequest(answers[0] ?? answer))
        }
      })
    )

    it.effect("a password that is too short spends nothing", () =>
      Effect.gen(function* () {
        const { email } = yield* givenUser({})
        const token = Redacted.value(yield* givenPasswordReset(email))
        assertProblem(yield* reset(token, "short"), 400, "validation_failed")
        assertStatus(yield* reset(token), 204)
      })
    )
  })
