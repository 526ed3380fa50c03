import { assert } from "@effect/vitest"
import { removeMember, setOrganizationPlan, setOrganizationStatus, setUserStatus } from "@parley/domain/platform"
import type { Ports } from "@parley/domain/composition"
import { Effect, type Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { assertProblem, assertStatus, at, textAt, whenNotBusy, withoutRequest } from "../harness/answers.ts"
import { call } from "../harness/Http.ts"
import { overHttp } from "../harness/service.ts"
import {
  freshId,
  givenAutomationToken,
  givenDocsCode,
  givenPerson,
  givenTenant,
  inside,
  operating,
  password,
  type Person,
  signIn,
  type Tenant
} from "../harness/tenants.ts"

const handOff = ({ organization }: Tenant, { token }: Pick<Person, "token">) =>
  call("POST", "/api/v1/docs/handoff", { token, organization: organization.id })

const exchange = (code: string) => call("POST", "/api/v1/docs/exchange", { body: { code } })

const session = (token: string) => call("GET", "/api/v1/docs/session", { token })

/** The way of a signed-in user to the documentation site. */
export const docsHandoffSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect("a code identifies the user, the organization and the features and limits of its plan", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant("growth")
        const viewer = yield* givenPerson(tenant.organization, "viewer")
        const handed = yield* handOff(tenant, viewer)
        assertStatus(handed, 200)
        const code = textAt(handed, "code")
        assert.match(code, /^[A-Za-z0-9_-]{43}$/)
        assert.deepStrictEqual(handed.body, {
          code,
          url: `http://parley.test/docs#code=${code}`,
          expiresAt: "2026-03-01T10:21:30.123Z"
        })
        const exchanged = yield* exchange(code)
        assertStatus(exchanged, 200)
        assert.strictEqual(exchanged.body.expiresAt, "2026-03-01T10:30:30.123Z")
        assert.strictEqual(at(exchanged.body, "user", "id"), viewer.user.id)
        assert.strictEqual(at(exchanged.body, "organization", "id"), tenant.organization.id)
        const read = yield* session(textAt(exchanged, "sessionToken"))
        assertStatus(read, 200)
        assert.strictEqual(at(read.body, "user", "email"), viewer.user.email)
        assert.strictEqual(at(read.body, "organization", "name"), tenant.organization.name)
        assert.deepStrictEqual(at(read.body, "entitlements", "plan"), "growth")
        assert.deepStrictEqual(at(read.body, "entitlements", "features", 2, "allowed"), false)
      })
    )

    it.effect("a code is good for 60 seconds", () =>
      Effect.gen(function* () {
        const { organization, owner } = yield* givenTenant()
        const early = yield* givenDocsCode(organization, owner)
        const late = yield* givenDocsCode(organization, owner)
        yield* TestClock.adjust("59 seconds")
        assertStatus(yield* exchange(Redacted.value(early)), 200)
        yield* TestClock.adjust("1 second")
        assertProblem(yield* exchange(Redacted.value(late)), 400, "docs_code_invalid")
      })
    )

    it.effect("a used, expired, unknown or malformed code is one and the same answer", () =>
      Effect.gen(function* () {
        const { organization, owner } = yield* givenTenant()
        const used = Redacted.value(yield* givenDocsCode(organization, owner))
        assertStatus(yield* exchange(used), 200)
        const expired = Redacted.value(yield* givenDocsCode(organization, owner))
        yield* TestClock.adjust("60 seconds")
        const unknown = yield* exchange("A".repeat(43))
        assertProblem(unknown, 400, "docs_code_invalid")
        const odd = [
          "",
          "x",
          "\u0000",
          "\ud800",
          "é",
          "A".repeat(4096),
          `${used}=`,
          ` ${used}`,
          used.toUpperCase(),
          yield* freshId
        ]
        for (const malformed of [null, 7, true, [], ["x"], {}, { code: used }]) {
          const answer = yield* call("POST", "/api/v1/docs/exchange", { body: { code: malformed } })
          assert.deepStrictEqual(withoutRequest(answer), withoutRequest(unknown), JSON.stringify(malformed))
        }
        for (const code of [used, expired, ...odd, Redacted.value(owner.token), Redacted.value(owner.refreshToken)]) {
          assert.deepStrictEqual(withoutRequest(yield* exchange(code)), withoutRequest(unknown), code.slice(0, 50))
        }
      })
    )

    it.effect("only the first of many concurrent exchanges of a code succeeds", () =>
      Effect.gen(function* () {
        const { organization, owner } = yield* givenTenant()
        const code = Redacted.value(yield* givenDocsCode(organization, owner))
        const answers = yield* Effect.forEach(Array.from({ length: 50 }), () => whenNotBusy(exchange(code)), {
          concurrency: "unbounded"
        })
        assert.lengthOf(
          answers.filter(({ status }) => status === 200),
          1
        )
        for (const answer of answers.filter(({ status }) => status !== 200)) {
          assertProblem(answer, 400, "docs_code_invalid")
        }
      })
    )

    it.effect("the session ends after 10 minutes", () =>
      Effect.gen(function* () {
        const { organization, owner } = yield* givenTenant()
        const started = yield* exchange(Redacted.value(yield* givenDocsCode(organization, owner)))
        const read = session(textAt(started, "sessionToken"))
        yield* TestClock.adjust("9 minutes")
        assertStatus(yield* read, 200)
        yield* TestClock.adjust("1 minute")
        assertProblem(yield* read, 401, "token_expired")
      })
    )

    it.effect(
      "code and session end with the membership, the account, the organization, and the requesting session",
      () =>
        Effect.gen(function* () {
          const ways = [
            [
              "organization_forbidden",
              (tenant: Tenant, person: Person) =>
                removeMember({ id: person.member.id }).pipe(inside(tenant.organization))
            ],
            [
              "token_revoked",
              (_: Tenant, person: Person) => setUserStatus({ id: person.user.id, status: "disabled" }).pipe(operating)
            ],
            [
              "organization_forbidden",
              (tenant: Tenant) => setOrganizationStatus({ status: "suspended" }).pipe(inside(tenant.organization))
            ],
            ["token_revoked", (_: Tenant, { token }: Person) => call("POST", "/api/v1/auth/logout", { token })],
            [
              "token_revoked",
              (_: Tenant, { user }: Person) =>
                Effect.flatMap(signIn(user), ({ token }) =>
                  call("POST", "/api/v1/auth/password", {
                    token,
                    body: { currentPassword: password, newPassword: "four brown owls in a wood" }
                  })
                )
            ]
          ] as const
          for (const [code, lose] of ways) {
            const tenant = yield* givenTenant()
            const person = yield* givenPerson(tenant.organization)
            const started = yield* exchange(Redacted.value(yield* givenDocsCode(tenant.organization, person)))
            const kept = yield* givenDocsCode(tenant.organization, person)
            const read = session(textAt(started, "sessionToken"))
            assertStatus(yield* read, 200)
            yield* lose(tenant, person)
            assertProblem(yield* exchange(Redacted.value(kept)), 400, "docs_code_invalid")
            assertProblem(yield* read, code === "token_revoked" ? 401 : 403, code)
          }
        })
    )

    it.effect("the session shows the plan as it is now", () =>
      Effect.gen(function* () {
        const { organization, owner } = yield* givenTenant("free")
        const started = yield* exchange(Redacted.value(yield* givenDocsCode(organization, owner)))
        yield* setOrganizationPlan({ plan: "scale" }).pipe(inside(organization))
        const read = yield* session(textAt(started, "sessionToken"))
        assert.strictEqual(at(read.body, "entitlements", "plan"), "scale")
      })
    )

    it.effect("a program does not go to the documentation site", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const answer = yield* handOff(tenant, yield* givenAutomationToken(tenant))
        assertProblem(answer, 403, "permission_denied")
        assert.strictEqual(answer.body.permission, "user")
      })
    )
  })
