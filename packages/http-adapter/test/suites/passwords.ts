import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { PasswordHasher, Users } from "@parley/domain/platform"
import type { Ports } from "@parley/domain/composition"
import { Effect, type Layer, Redacted } from "effect"
import { assertProblem, assertStatus, pointersOf, textAt, withoutRequest } from "../harness/answers.ts"
import { type Answer, call } from "../harness/Http.ts"
import { overHttp } from "../harness/service.ts"
import {
  freshId,
  givenInvitation,
  givenMember,
  givenPasswordReset,
  givenPerson,
  givenTenant,
  givenUser,
  password
} from "../harness/tenants.ts"

const renewed = "chosen by the owner of the mailbox"

const forgot = (email: string, address = "192.0.2.1") =>
  call("POST", "/api/v1/auth/password/forgot", { body: { email }, headers: { "x-forwarded-for": address } })

const reset = (token: string, chosen = renewed) =>
  call("POST", "/api/v1/auth/password/reset", { body: { token, password: chosen } })

const logIn = (email: string, tried: string) => call("POST", "/api/v1/auth/login", { body: { email, password: tried } })

/** A forgotten password. */
export const passwordsSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect("a request reveals nothing about the address, for any number of requests", () =>
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

    it.effect("an address with too many requests is throttled, without effect on others", () =>
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

    it.effect("only the first of many concurrent uses of a link succeeds", () =>
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

    it.effect("unknown, used and malformed links give one answer", () =>
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

    it.effect("every endpoint rejects a common password and spends no token", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { email } = tenant.owner.user
        const refused = (answer: Answer, pointer: string) => {
          assertProblem(answer, 400, "validation_failed")
          assert.deepStrictEqual(pointersOf(answer), [pointer])
        }
        const token = Redacted.value(yield* givenPasswordReset(email))
        const invitation = yield* givenInvitation(tenant.organization)
        const accept = (chosen: string) =>
          call("POST", "/api/v1/auth/invitations/accept", {
            body: { token: Redacted.value(invitation.token), name: "Grace", password: chosen }
          })
        const change = (chosen: string) =>
          call("POST", "/api/v1/auth/password", {
            token: tenant.owner.token,
            body: { currentPassword: password, newPassword: chosen }
          })
        for (const chosen of ["password", "Password", "password99!!", "aaaaaaaa", "asdfasdfasdf", "parley-parley"]) {
          refused(yield* reset(token, chosen), "/password")
          refused(yield* accept(chosen), "/password")
          refused(yield* change(chosen), "/newPassword")
        }
        assertStatus(yield* accept(renewed), 201)
        assertStatus(yield* change("four brown owls in a wood"), 204)
        assertStatus(yield* reset(Redacted.value(yield* givenPasswordReset(email))), 204)
      })
    )

    it.effect("a session with a common or an operator's password can only replace it", () =>
      Effect.gen(function* () {
        const { organization } = yield* givenTenant()
        for (const [text, mustChange] of [
          ["password", false],
          ["made by an operator", true]
        ] as const) {
          const user = yield* givenUser({})
          yield* givenMember(organization, user, "owner")
          const hash = yield* (yield* PasswordHasher).rehash(Redacted.make(text))
          yield* transact((yield* Users).setPassword(user.id, { hash, mustChange }))
          const opened = yield* logIn(user.email, text)
          assertStatus(opened, 200)
          const input = { token: textAt(opened, "accessToken"), organization: organization.id }
          for (const [method, path] of [
            ["GET", "/organization"],
            ["GET", "/contacts"],
            ["PATCH", "/auth/me"],
            ["POST", "/docs/handoff"],
            ["GET", "/events"]
          ] as const) {
            const body = method === "PATCH" ? { name: "Grace" } : undefined
            assertProblem(yield* call(method, `/api/v1${path}`, { ...input, body }), 403, "password_change_required")
          }
          assertStatus(yield* call("GET", "/api/v1/auth/me", input), 200)
          assertStatus(
            yield* call("POST", "/api/v1/auth/refresh", { body: { refreshToken: textAt(opened, "refreshToken") } }),
            200
          )
          const change = (chosen: string) =>
            call("POST", "/api/v1/auth/password", {
              ...input,
              body: { currentPassword: text, newPassword: chosen }
            })
          assertProblem(yield* change(text), 400, "validation_failed")
          assertStatus(yield* change("four brown owls in a wood"), 204)
          assertStatus(yield* call("GET", "/api/v1/organization", input), 200)
          const again = yield* logIn(user.email, "four brown owls in a wood")
          assertStatus(again, 200)
          assertStatus(
            yield* call("GET", "/api/v1/organization", { ...input, token: textAt(again, "accessToken") }),
            200
          )
          const closed = yield* logIn(user.email, "four brown owls in a wood")
          assertStatus(yield* call("POST", "/api/v1/auth/logout", { token: textAt(closed, "accessToken") }), 204)
        }
      })
    )

    it.effect("a session that must change the password can be closed", () =>
      Effect.gen(function* () {
        const user = yield* givenUser({})
        yield* transact((yield* Users).requirePasswordChange(user.id))
        const token = textAt(yield* logIn(user.email, password), "accessToken")
        assertStatus(yield* call("POST", "/api/v1/auth/logout", { token }), 204)
        assertProblem(yield* call("POST", "/api/v1/auth/logout", { token }), 401, "token_revoked")
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
