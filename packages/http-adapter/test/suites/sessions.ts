import { assert } from "@effect/vitest"
import { setOrganizationStatus, setUserStatus } from "@parley/domain/platform"
import type { Ports } from "@parley/domain/composition"
import { Effect, type Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { assertProblem, assertStatus, at, rowsOf, textAt, whenNotBusy, withoutRequest } from "../harness/answers.ts"
import { type Answer, call } from "../harness/Http.ts"
import { overHttp } from "../harness/service.ts"
import {
  freshId,
  givenInvitation,
  givenMember,
  givenOrganization,
  givenPerson,
  givenTenant,
  givenUser,
  inside,
  operating,
  password,
  signIn
} from "../harness/tenants.ts"

const loginWith = (body: unknown, address = "192.0.2.1") =>
  call("POST", "/api/v1/auth/login", { body, headers: { "x-forwarded-for": address } })

const refreshWith = (refreshToken: string | Redacted.Redacted) =>
  call("POST", "/api/v1/auth/refresh", {
    body: { refreshToken: Redacted.isRedacted(refreshToken) ? Redacted.value(refreshToken) : refreshToken }
  })

const accept = (body: unknown, address = "192.0.2.1") =>
  call("POST", "/api/v1/auth/invitations/accept", { body, headers: { "x-forwarded-for": address } })

const me = (token: string | Redacted.Redacted, organization?: string) =>
  call("GET", "/api/v1/auth/me", { token, organization })

const assertThrottled = (answer: Answer, atMost: number) => {
  assertProblem(answer, 429, "login_throttled")
  const seconds = Number(answer.headers.get("retry-after"))
  assert.strictEqual(answer.body.retryAfterSeconds, seconds)
  assert.isAtLeast(seconds, 1)
  assert.isAtMost(seconds, atMost)
}

const wrong = "wrong horse battery staple"

/** Logging in, staying logged in, logging out, joining. */
export const sessionsSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) => {
  overHttp(`${name}: logging in`, ports, (it) => {
    it.effect("a login opens a session with the user and the organizations", () =>
      Effect.gen(function* () {
        const { organization, owner } = yield* givenTenant()
        const answer = yield* loginWith({ email: owner.user.email, password })
        assertStatus(answer, 200)
        const { accessToken, expiresAt, expiresIn, organizations, refreshToken, tokenType, user } = answer.body
        assert.deepStrictEqual(
          { expiresAt, expiresIn, tokenType },
          { expiresAt: "2026-03-01T10:35:30.123Z", expiresIn: 900, tokenType: "Bearer" }
        )
        assert.deepStrictEqual(organizations, [{ id: organization.id, name: organization.name, role: "owner" }])
        assert.deepStrictEqual(user, {
          id: owner.user.id,
          email: owner.user.email,
          name: owner.user.name,
          avatarUrl: null,
          status: "active",
          emailVerifiedAt: "2026-03-01T10:20:30.123Z",
          createdAt: "2026-03-01T10:20:30.123Z"
        })
        assert.notStrictEqual(accessToken, refreshToken)
        assertStatus(yield* me(textAt(answer, "accessToken"), organization.id), 200)
      })
    )

    it.effect("the address is taken as people type it", () =>
      Effect.gen(function* () {
        const { owner } = yield* givenTenant()
        assertStatus(yield* loginWith({ email: `  ${owner.user.email.toUpperCase()} `, password }), 200)
      })
    )

    it.effect("a login can name an organization of the person", () =>
      Effect.gen(function* () {
        const { organization, owner } = yield* givenTenant()
        const other = yield* givenTenant()
        const into = (organizationId: string) => loginWith({ email: owner.user.email, password, organizationId })
        assertStatus(yield* into(organization.id), 200)
        const foreign = yield* into(other.organization.id)
        assertProblem(foreign, 403, "organization_forbidden")
        assert.deepStrictEqual(withoutRequest(foreign), withoutRequest(yield* into(yield* freshId)))
      })
    )

    it.effect("all organizations of a person are named, but for suspended ones", () =>
      Effect.gen(function* () {
        const user = yield* givenUser({})
        const bakery = yield* givenOrganization({ name: "B Bakery" })
        const attic = yield* givenOrganization({ name: "A Attic" })
        const closed = yield* givenOrganization({ name: "C Closed" })
        yield* givenMember(bakery, user, "agent")
        yield* givenMember(attic, user, "viewer")
        yield* givenMember(closed, user, "owner")
        yield* setOrganizationStatus({ status: "suspended" }).pipe(inside(closed))
        const answer = yield* loginWith({ email: user.email, password })
        assert.deepStrictEqual(answer.body.organizations, [
          { id: attic.id, name: "A Attic", role: "viewer" },
          { id: bakery.id, name: "B Bakery", role: "agent" }
        ])
      })
    )

    it.effect("a wrong password, an unknown address and a disabled person are one and the same answer", () =>
      Effect.gen(function* () {
        const { organization, owner } = yield* givenTenant()
        const disabled = yield* givenPerson(organization)
        yield* setUserStatus({ id: disabled.user.id, status: "disabled" }).pipe(operating)
        const refused = yield* loginWith({ email: owner.user.email, password: wrong })
        assertProblem(refused, 401, "invalid_credentials")
        assert.strictEqual(refused.headers.get("www-authenticate"), 'Bearer realm="parley"')
        for (const body of [
          { email: "nobody@people.test", password: wrong },
          { email: disabled.user.email, password },
          { email: owner.user.email, password: "" },
          { email: owner.user.email, password: `${password} ` },
          { email: owner.user.email, password: password.toUpperCase() }
        ]) {
          assert.deepStrictEqual(withoutRequest(yield* loginWith(body)), withoutRequest(refused))
        }
      })
    )

    const attack = (email: string) =>
      Effect.map(
        Effect.forEach(
          Array.from({ length: 250 }, (_, index) => `192.0.2.${index}`),
          (address) => loginWith({ email, password: wrong }, address)
        ),
        (answers) => answers.filter(({ status }) => status === 401).length
      )

    it.effect("strangers may fail twelve times at an account in a quarter of an hour, then none is heard", () =>
      Effect.gen(function* () {
        const { owner } = yield* givenTenant()
        const { email } = owner.user
        assert.strictEqual(yield* attack(email), 12)
        assertThrottled(yield* loginWith({ email, password }, "198.51.100.9"), 900)
        assertThrottled(yield* loginWith({ email: email.toUpperCase(), password }, "198.51.100.9"), 900)
        yield* TestClock.adjust("15 minutes")
        assertStatus(yield* loginWith({ email, password }, "198.51.100.9"), 200)
      })
    )

    it.effect("one stranger can fail five times without locking others out", () =>
      Effect.gen(function* () {
        const { owner } = yield* givenTenant()
        const { email } = owner.user
        for (let count = 0; count < 5; count++) {
          assertProblem(yield* loginWith({ email, password: wrong }, "192.0.2.7"), 401, "invalid_credentials")
        }
        for (let count = 0; count < 20; count++) {
          assertThrottled(yield* loginWith({ email, password: wrong }, "192.0.2.7"), 900)
        }
        assertThrottled(yield* loginWith({ email, password }, "192.0.2.7"), 900)
        assertStatus(yield* loginWith({ email, password }, "198.51.100.10"), 200)
      })
    )

    it.effect("an unknown address is throttled like a known one", () =>
      Effect.gen(function* () {
        const email = `${yield* freshId}@nowhere.test`
        assert.strictEqual(yield* attack(email), 12)
        assertThrottled(yield* loginWith({ email, password: wrong }, "198.51.100.9"), 900)
      })
    )

    it.effect(
      "a person with an earlier login is accepted from that address and device despite failures of strangers",
      () =>
        Effect.gen(function* () {
          const { owner } = yield* givenTenant()
          const { email } = owner.user
          const first = yield* loginWith({ email, password }, "2001:db8:1:2::7")
          assertStatus(first, 200)
          const deviceToken = textAt(first, "deviceToken")
          yield* attack(email)
          assertThrottled(yield* loginWith({ email, password }, "2001:db8:1:3::7"), 900)
          for (const address of ["2001:db8:1:2::7", "2001:db8:1:2:ffff::1"]) {
            assertStatus(yield* loginWith({ email, password }, address), 200)
          }
          assertStatus(yield* loginWith({ email, password, deviceToken }, "198.51.100.77"), 200)
          assertThrottled(yield* loginWith({ email, password, deviceToken: "no.token" }, "198.51.100.78"), 900)
          const opens = yield* call("GET", "/api/v1/auth/me", { token: deviceToken })
          assertProblem(opens, 401, "token_invalid")
        })
    )

    it.effect("logins that succeed do not count", () =>
      Effect.gen(function* () {
        const { owner } = yield* givenTenant()
        const email = owner.user.email
        for (let count = 0; count < 45; count++) {
          assertStatus(yield* loginWith({ email, password }, "203.0.113.1"), 200)
        }
        assertProblem(yield* loginWith({ email, password: wrong }, "203.0.113.1"), 401, "invalid_credentials")
      })
    )

    it.effect("a hundred failures lock an address, over all accounts", () =>
      Effect.gen(function* () {
        const { owner } = yield* givenTenant()
        const answers = yield* Effect.forEach(
          Array.from({ length: 110 }, (_, index) => `guess${index}@nowhere.test`),
          (email) => loginWith({ email, password: wrong }, "203.0.113.77"),
          { concurrency: 10 }
        )
        assert.lengthOf(
          answers.filter(({ status }) => status === 401),
          100
        )
        assert.lengthOf(
          answers.filter(({ status }) => status === 429),
          10
        )
        assertThrottled(yield* loginWith({ email: owner.user.email, password }, "203.0.113.77"), 900)
        assertStatus(yield* loginWith({ email: owner.user.email, password }, "203.0.113.78"), 200)
        yield* TestClock.adjust("15 minutes")
        assertStatus(yield* loginWith({ email: owner.user.email, password }, "203.0.113.77"), 200)
      })
    )

    it.effect("concurrent guesses count like sequential ones", () =>
      Effect.gen(function* () {
        const { owner } = yield* givenTenant()
        const answers = yield* Effect.forEach(
          Array.from({ length: 80 }, (_, index) => `198.51.100.${index}`),
          (address) => loginWith({ email: owner.user.email, password: wrong }, address),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(
          answers.filter(({ status }) => status === 401),
          12
        )
        assert.lengthOf(
          answers.filter(({ status }) => status === 429),
          68
        )
      })
    )
  })

  overHttp(`${name}: refreshing`, ports, (it) => {
    it.effect("a refresh gives the next pair, and the session goes on", () =>
      Effect.gen(function* () {
        const { organization, owner } = yield* givenTenant()
        const login = yield* loginWith({ email: owner.user.email, password })
        let refreshToken = textAt(login, "refreshToken")
        for (let round = 0; round < 4; round++) {
          yield* TestClock.adjust("14 minutes")
          const next = yield* refreshWith(refreshToken)
          assertStatus(next, 200)
          assert.deepStrictEqual(Object.keys(next.body).toSorted(), [
            "accessToken",
            "expiresAt",
            "expiresIn",
            "refreshToken",
            "tokenType"
          ])
          assert.notStrictEqual(textAt(next, "refreshToken"), refreshToken)
          refreshToken = textAt(next, "refreshToken")
          assertStatus(yield* me(textAt(next, "accessToken"), organization.id), 200)
        }
      })
    )

    it.effect("a spent token within ten seconds is a call that lost the race: the session goes on", () =>
      Effect.gen(function* () {
        const { organization, owner } = yield* givenTenant()
        const first = yield* refreshWith(owner.refreshToken)
        yield* TestClock.adjust("10 seconds")
        assertProblem(yield* refreshWith(owner.refreshToken), 409, "refresh_superseded")
        assertStatus(yield* me(textAt(first, "accessToken"), organization.id), 200)
        assertStatus(yield* refreshWith(textAt(first, "refreshToken")), 200)
      })
    )

    it.effect("a spent token after that ends the session, with everything it gave out", () =>
      Effect.gen(function* () {
        const { organization, owner } = yield* givenTenant()
        const bystander = yield* signIn(owner.user)
        const first = yield* refreshWith(owner.refreshToken)
        const second = yield* refreshWith(textAt(first, "refreshToken"))
        yield* TestClock.adjust("11 seconds")
        const reused = yield* refreshWith(owner.refreshToken)
        assertProblem(reused, 401, "session_reuse_detected")
        assert.isNotNull(reused.headers.get("www-authenticate"))
        for (const token of [owner.token, textAt(first, "accessToken"), textAt(second, "accessToken")]) {
          assertProblem(yield* me(token, organization.id), 401, "token_revoked")
        }
        for (const token of [owner.refreshToken, textAt(first, "refreshToken"), textAt(second, "refreshToken")]) {
          assertProblem(yield* refreshWith(token), 401, "token_revoked")
        }
        assertStatus(yield* me(bystander.token, organization.id), 200)
        const trail = yield* call("GET", "/api/v1/audit_events?action=session.reuse_detected", {
          token: bystander.token,
          organization: organization.id
        })
        assert.lengthOf(rowsOf(trail), 1)
      })
    )

    it.effect("only the first of 100 concurrent uses of a token succeeds, and the session survives", () =>
      Effect.gen(function* () {
        const { organization, owner } = yield* givenTenant()
        const answers = yield* Effect.forEach(
          Array.from({ length: 100 }),
          () => whenNotBusy(refreshWith(owner.refreshToken)),
          {
            concurrency: "unbounded"
          }
        )
        const [winner, ...others] = answers.toSorted((one, other) => one.status - other.status)
        if (winner === undefined) return assert.fail("There was no answer.")
        assertStatus(winner, 200)
        for (const other of others) assertProblem(other, 409, "refresh_superseded")
        assertStatus(yield* me(textAt(winner, "accessToken"), organization.id), 200)
        assertStatus(yield* refreshWith(textAt(winner, "refreshToken")), 200)
      })
    )

    it.effect("other tokens, including access tokens, are no valid refresh tokens", () =>
      Effect.gen(function* () {
        const { owner } = yield* givenTenant()
        for (const token of ["", "x", yield* freshId, Redacted.value(owner.token), "A".repeat(43)]) {
          assertProblem(yield* refreshWith(token), 401, "token_invalid")
        }
        assertProblem(yield* me(owner.refreshToken), 401, "token_invalid")
      })
    )

    it.effect("a session ends after thirty days, however often it was refreshed", () =>
      Effect.gen(function* () {
        const { owner } = yield* givenTenant()
        yield* TestClock.adjust("29 days")
        const next = yield* refreshWith(owner.refreshToken)
        assertStatus(next, 200)
        yield* TestClock.adjust("1 day")
        assertProblem(yield* refreshWith(textAt(next, "refreshToken")), 401, "token_expired")
        assertProblem(yield* me(textAt(next, "accessToken")), 401, "token_expired")
      })
    )
  })

  overHttp(`${name}: ending`, ports, (it) => {
    it.effect("a logout ends its session directly, and no other", () =>
      Effect.gen(function* () {
        const { organization, owner } = yield* givenTenant()
        const other = yield* signIn(owner.user)
        const answer = yield* call("POST", "/api/v1/auth/logout", { token: owner.token })
        assertStatus(answer, 204)
        assert.strictEqual(answer.text, "")
        assertProblem(yield* me(owner.token, organization.id), 401, "token_revoked")
        assertProblem(yield* call("POST", "/api/v1/auth/logout", { token: owner.token }), 401, "token_revoked")
        assertProblem(yield* refreshWith(owner.refreshToken), 401, "token_revoked")
        assertStatus(yield* me(other.token, organization.id), 200)
      })
    )

    it.effect("a disabled person is out everywhere", () =>
      Effect.gen(function* () {
        const { organization, owner } = yield* givenTenant()
        const person = yield* givenPerson(organization)
        const other = yield* signIn(person.user)
        yield* setUserStatus({ id: person.user.id, status: "disabled" }).pipe(operating)
        for (const { refreshToken, token } of [person, other]) {
          assertProblem(yield* me(token, organization.id), 401, "token_revoked")
          assertProblem(yield* refreshWith(refreshToken), 401, "token_revoked")
        }
        assertStatus(yield* me(owner.token, organization.id), 200)
      })
    )

    it.effect("a new password ends every other session and is the only valid one", () =>
      Effect.gen(function* () {
        const { organization, owner } = yield* givenTenant()
        const other = yield* signIn(owner.user)
        const newPassword = "a much better battery staple"
        const change = (body: unknown) => call("POST", "/api/v1/auth/password", { token: owner.token, body })
        assertProblem(yield* change({ currentPassword: wrong, newPassword }), 401, "invalid_credentials")
        assertStatus(yield* me(other.token, organization.id), 200)
        assertStatus(yield* change({ currentPassword: password, newPassword }), 204)
        assertStatus(yield* me(owner.token, organization.id), 200)
        assertProblem(yield* me(other.token, organization.id), 401, "token_revoked")
        assertProblem(yield* loginWith({ email: owner.user.email, password }), 401, "invalid_credentials")
        assertStatus(yield* loginWith({ email: owner.user.email, password: newPassword }), 200)
      })
    )

    it.effect("guessing the current password is throttled like a login", () =>
      Effect.gen(function* () {
        const { owner } = yield* givenTenant()
        const guess = call("POST", "/api/v1/auth/password", {
          token: owner.token,
          body: { currentPassword: wrong, newPassword: "a much better battery staple" },
          headers: { "x-forwarded-for": "203.0.113.200" }
        })
        for (let count = 0; count < 7; count++) assertProblem(yield* guess, 401, "invalid_credentials")
        assertThrottled(yield* guess, 900)
      })
    )

    it.effect.each(["", "1234567", "x".repeat(257)])("%j cannot be a password", (newPassword) =>
      Effect.gen(function* () {
        const { owner } = yield* givenTenant()
        const answer = yield* call("POST", "/api/v1/auth/password", {
          token: owner.token,
          body: { currentPassword: password, newPassword }
        })
        assertProblem(answer, 400, "validation_failed")
      })
    )

    it.effect.each([
      "8 chars.",
      "long enough: ".padEnd(256, "xyz"),
      "пароль с пробелами",
      "nul\u0000inside",
      "emoji 🥐🥐🥐🥐",
      " leads and trails "
    ])("%j can", (newPassword) =>
      Effect.gen(function* () {
        const { owner } = yield* givenTenant()
        const answer = yield* call("POST", "/api/v1/auth/password", {
          token: owner.token,
          body: { currentPassword: password, newPassword }
        })
        assertStatus(answer, 204)
        assertStatus(yield* loginWith({ email: owner.user.email, password: newPassword }, "192.0.2.200"), 200)
      })
    )
  })

  overHttp(`${name}: invitations`, ports, (it) => {
    it.effect("a newcomer makes an account with the link, joins, and logs in", () =>
      Effect.gen(function* () {
        const { organization, owner } = yield* givenTenant()
        const invited = yield* call("POST", "/api/v1/members", {
          token: owner.token,
          organization: organization.id,
          body: { email: `${yield* freshId}@new.test`, role: "agent", delivery: "link" }
        })
        const email = textAt(invited, "member", "email")
        const token = textAt(invited, "invitation", "token")
        const body = { token, name: "Grace Hopper", password: "rear admiral battery staple" }
        const answer = yield* accept(body)
        assertStatus(answer, 201)
        assert.strictEqual(answer.body.organizationId, organization.id)
        const { member, user } = answer.body
        assert.deepStrictEqual(
          [
            at(user, "email"),
            at(user, "name"),
            at(user, "status"),
            at(member, "role"),
            at(member, "status"),
            at(member, "userId")
          ],
          [email, "Grace Hopper", "active", "agent", "active", at(user, "id")]
        )
        const login = yield* loginWith({ email, password: body.password })
        assertStatus(yield* me(textAt(login, "accessToken")), 200)
        assertProblem(yield* accept(body), 400, "invitation_invalid")
      })
    )

    it.effect("a person with an account proves it with its password and keeps the name", () =>
      Effect.gen(function* () {
        const { organization } = yield* givenTenant()
        const user = yield* givenUser({ name: "Kept" })
        const { token } = yield* givenInvitation(organization, { email: user.email })
        const body = { token: Redacted.value(token), name: "Other", password: wrong }
        assertProblem(yield* accept(body), 401, "invalid_credentials")
        const answer = yield* accept({ ...body, password })
        assertStatus(answer, 201)
        assert.deepStrictEqual([at(answer.body, "user", "id"), at(answer.body, "user", "name")], [user.id, "Kept"])
        assertStatus(yield* loginWith({ email: user.email, password, organizationId: organization.id }), 200)
      })
    )

    it.effect("guessing that password is throttled like a login", () =>
      Effect.gen(function* () {
        const { organization } = yield* givenTenant()
        const user = yield* givenUser({})
        const { token } = yield* givenInvitation(organization, { email: user.email })
        const body = { token: Redacted.value(token), name: "Other", password: wrong }
        for (let count = 0; count < 5; count++)
          assertProblem(yield* accept(body, "192.0.2.77"), 401, "invalid_credentials")
        assertThrottled(yield* accept({ ...body, password }, "192.0.2.77"), 900)
      })
    )

    it.effect("a link that is used, withdrawn, expired, unknown or malformed is one and the same answer", () =>
      Effect.gen(function* () {
        const { organization, owner } = yield* givenTenant()
        const withdrawn = yield* givenInvitation(organization)
        const removed = yield* call("DELETE", `/api/v1/members/${withdrawn.member.id}`, {
          token: owner.token,
          organization: organization.id
        })
        assertStatus(removed, 204)
        const expired = yield* givenInvitation(organization)
        const used = yield* givenInvitation(organization)
        const body = { name: "Grace Hopper", password: "rear admiral battery staple" }
        assertStatus(yield* accept({ ...body, token: Redacted.value(used.token) }), 201)
        yield* TestClock.adjust("7 days")
        const tokens = [withdrawn, expired, used].map(({ token }) => Redacted.value(token))
        const unknown = yield* accept({ ...body, token: "A".repeat(43) })
        assertProblem(unknown, 400, "invitation_invalid")
        for (const token of [...tokens, "", "x", "\u0000", yield* freshId]) {
          assert.deepStrictEqual(withoutRequest(yield* accept({ ...body, token })), withoutRequest(unknown))
        }
      })
    )

    it.effect("only the first of many concurrent acceptances of a link joins", () =>
      Effect.gen(function* () {
        const { organization, owner } = yield* givenTenant()
        const { member, token } = yield* givenInvitation(organization)
        const answers = yield* Effect.forEach(
          Array.from({ length: 12 }, (_, index) => `Person ${index}`),
          (name) =>
            whenNotBusy(accept({ token: Redacted.value(token), name, password: "rear admiral battery staple" })),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(
          answers.filter(({ status }) => status === 201),
          1
        )
        for (const answer of answers.filter(({ status }) => status !== 201)) {
          assertProblem(answer, 400, "invitation_invalid")
        }
        const rows = rowsOf(
          yield* call("GET", "/api/v1/members", { token: owner.token, organization: organization.id })
        )
        assert.lengthOf(
          rows.filter((row) => at(row, "email") === member.email),
          1
        )
      })
    )
  })
}
