import { assert, layer } from "@effect/vitest"
import {
  removeMember,
  rotateSigningKey,
  setOrganizationPlan,
  setOrganizationStatus,
  setUserStatus,
  TokenSigner
} from "@parley/domain/platform"
import { putPlugin, tokenOfPlugin } from "@parley/testkit"
import { Deferred, Effect, Fiber, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { assertProblem, assertStatus, textAt } from "../harness/answers.ts"
import { type Answer, call } from "../harness/Http.ts"
import { layerNodes, Nodes, on } from "../harness/nodes.ts"
import {
  freshText,
  givenAutomationToken,
  givenDocsCode,
  givenPerson,
  givenTenant,
  givenUser,
  inside,
  password,
  type Person,
  signIn,
  type Tenant
} from "../harness/tenants.ts"
import { givenIssuedToken, tryAll, waysToLoseRights } from "./tokenRights.ts"

const read = ({ organization }: Tenant, { token }: Pick<Person, "token">) =>
  call("GET", "/api/v1/organization", { token, organization: organization.id })

/** Answer of a node one second after a change on another node. */
const aSecondLater = <R>(ask: Effect.Effect<Answer, never, R>) => Effect.andThen(TestClock.adjust("1 second"), ask)

/** Effects of one node apply on every other node within a second. Two nodes with separate memory, in test time. */
export const nodesSuite = (name: string) =>
  layer(layerNodes())(name, (it) => {
    const situation = Effect.gen(function* () {
      const { one, other } = yield* Nodes
      const tenant = yield* givenTenant().pipe(on(one))
      const person = yield* givenPerson(tenant.organization, "admin").pipe(on(one))
      const there = read(tenant, person).pipe(on(other))
      assertStatus(yield* there, 200)
      assertStatus(yield* there, 200)
      return { one, other, tenant, person, there }
    })

    it.effect("a logout", () =>
      Effect.gen(function* () {
        const { one, person, there } = yield* situation
        assertStatus(yield* call("POST", "/api/v1/auth/logout", { token: person.token }).pipe(on(one)), 204)
        assertProblem(yield* aSecondLater(there), 401, "token_revoked")
      })
    )

    it.effect("a new password, for every other session", () =>
      Effect.gen(function* () {
        const { one, person, there } = yield* situation
        const second = yield* signIn(person.user).pipe(on(one))
        const changed = yield* call("POST", "/api/v1/auth/password", {
          token: second.token,
          body: { currentPassword: password, newPassword: "another horse battery staple" }
        }).pipe(on(one))
        assertStatus(changed, 204)
        assertProblem(yield* aSecondLater(there), 401, "token_revoked")
      })
    )

    it.effect("the removal of a member", () =>
      Effect.gen(function* () {
        const { one, person, tenant, there } = yield* situation
        yield* removeMember({ id: person.member.id }).pipe(inside(tenant.organization), on(one))
        assertProblem(yield* aSecondLater(there), 403, "organization_forbidden")
      })
    )

    it.effect("another role", () =>
      Effect.gen(function* () {
        const { one, other, person, tenant } = yield* situation
        const trail = call("GET", "/api/v1/audit_events", {
          token: person.token,
          organization: tenant.organization.id
        }).pipe(on(other))
        assertStatus(yield* trail, 200)
        const changed = yield* call("PATCH", `/api/v1/members/${person.member.id}`, {
          token: tenant.owner.token,
          organization: tenant.organization.id,
          body: { role: "viewer" }
        }).pipe(on(one))
        assertStatus(changed, 200)
        assertProblem(yield* aSecondLater(trail), 403, "permission_denied")
      })
    )

    it.effect("the suspension of an organization", () =>
      Effect.gen(function* () {
        const { one, tenant, there } = yield* situation
        yield* setOrganizationStatus({ status: "suspended" }).pipe(inside(tenant.organization), on(one))
        assertProblem(yield* aSecondLater(there), 403, "organization_suspended")
      })
    )

    it.effect("the end of a user's account", () =>
      Effect.gen(function* () {
        const { one, person, tenant, there } = yield* situation
        yield* setUserStatus({ id: person.user.id, status: "disabled" }).pipe(inside(tenant.organization), on(one))
        assertProblem(yield* aSecondLater(there), 401, "token_revoked")
      })
    )

    it.effect("the revocation of an automation token", () =>
      Effect.gen(function* () {
        const { one, other, tenant } = yield* situation
        const { automationToken, token } = yield* givenAutomationToken(tenant).pipe(on(one))
        const there = read(tenant, { token }).pipe(on(other))
        assertStatus(yield* there, 200)
        const revoked = yield* call("DELETE", `/api/v1/auth/tokens/${automationToken.id}`, {
          token: tenant.owner.token,
          organization: tenant.organization.id
        }).pipe(on(one))
        assertStatus(revoked, 204)
        assertProblem(yield* aSecondLater(there), 401, "token_revoked")
      })
    )

    const pluginSituation = Effect.gen(function* () {
      const { one, other } = yield* Nodes
      const tenant = yield* givenTenant("scale").pipe(on(one))
      const { organization } = tenant
      const { id } = yield* putPlugin(organization).pipe(on(one))
      const token = Redacted.value(yield* tokenOfPlugin(organization, id).pipe(on(one)))
      const there = call("GET", "/api/v1/contacts", { token, organization: organization.id }).pipe(on(other))
      assertStatus(yield* there, 200)
      const ask = (method: string, path: string) =>
        call(method, `/api/v1/plugins/${id}${path}`, { token: tenant.owner.token, organization: organization.id }).pipe(
          on(one)
        )
      return { one, tenant, there, ask }
    })

    it.effect("the end of a plugin that is disabled", () =>
      Effect.gen(function* () {
        const { ask, there } = yield* pluginSituation
        assertStatus(yield* ask("POST", "/disable"), 200)
        assertProblem(yield* aSecondLater(there), 401, "token_revoked")
      })
    )

    it.effect("the end of a plugin that is uninstalled", () =>
      Effect.gen(function* () {
        const { ask, there } = yield* pluginSituation
        assertStatus(yield* ask("DELETE", ""), 204)
        const refused = yield* aSecondLater(there)
        assert.strictEqual(refused.status, 401)
      })
    )

    it.effect("a plan without plugins, for their tokens", () =>
      Effect.gen(function* () {
        const { one, tenant, there } = yield* pluginSituation
        yield* setOrganizationPlan({ plan: "growth" }).pipe(inside(tenant.organization), on(one))
        assertProblem(yield* aSecondLater(there), 403, "feature_not_in_plan")
        yield* setOrganizationPlan({ plan: "scale" }).pipe(inside(tenant.organization), on(one))
        assertStatus(yield* aSecondLater(there), 200)
      })
    )

    it.effect.each(waysToLoseRights)(
      "what an automation token of the $issuer may do: $what",
      ({ answers, issuer, steps }) =>
        Effect.gen(function* () {
          const { one, other } = yield* Nodes
          const given = yield* givenIssuedToken(issuer).pipe(on(one))
          yield* tryAll(given).pipe(on(other))
          for (const step of steps) yield* step(given).pipe(on(one))
          yield* TestClock.adjust("1 second")
          assert.strictEqual(yield* tryAll(given).pipe(on(other)), answers)
        })
    )

    it.effect("a smaller plan", () =>
      Effect.gen(function* () {
        const { one, other, tenant } = yield* situation
        const ours = { token: tenant.owner.token, organization: tenant.organization.id }
        const made = yield* call("POST", "/api/v1/automations", { ...ours, body: { name: "Greet" } }).pipe(on(other))
        const disable = call("POST", `/api/v1/automations/${textAt(made, "id")}/disable`, ours).pipe(on(other))
        assertStatus(yield* disable, 200)
        yield* setOrganizationPlan({ plan: "free" }).pipe(inside(tenant.organization), on(one))
        assertProblem(yield* aSecondLater(disable), 403, "feature_not_in_plan")
      })
    )

    it.effect("the reuse of a refresh token, for everything that the session gave out", () =>
      Effect.gen(function* () {
        const { one, other, person, there } = yield* situation
        const refreshWith = (refreshToken: string) => call("POST", "/api/v1/auth/refresh", { body: { refreshToken } })
        const spent = Redacted.value(person.refreshToken)
        const next = yield* refreshWith(spent).pipe(on(one))
        assertStatus(next, 200)
        yield* TestClock.adjust("11 seconds")
        assertStatus(yield* there, 200)
        assertProblem(yield* refreshWith(spent).pipe(on(one)), 401, "session_reuse_detected")
        assertProblem(yield* aSecondLater(there), 401, "token_revoked")
        assertProblem(yield* refreshWith(textAt(next, "refreshToken")).pipe(on(other)), 401, "token_revoked")
      })
    )

    it.effect("a new signing key is known directly, and tokens of the old one stay valid", () =>
      Effect.gen(function* () {
        const { one, other, person, tenant, there } = yield* situation
        yield* rotateSigningKey().pipe(inside(tenant.organization), on(one))
        const fresh = yield* signIn(person.user).pipe(on(one))
        assertStatus(yield* read(tenant, fresh).pipe(on(other)), 200)
        assertStatus(yield* there, 200)
        const keys = yield* Effect.flatMap(TokenSigner, (signer) => signer.keys).pipe(on(one))
        assert.lengthOf(keys, 2)
      })
    )

    it.effect("only the first of 100 concurrent uses of a refresh token succeeds, and the session survives", () =>
      Effect.gen(function* () {
        const { one, other, person, tenant } = yield* situation
        const answers = yield* Effect.forEach(
          Array.from({ length: 100 }, (_, index) => (index % 2 === 0 ? one : other)),
          (node) =>
            call("POST", "/api/v1/auth/refresh", { body: { refreshToken: Redacted.value(person.refreshToken) } }).pipe(
              on(node)
            ),
          { concurrency: "unbounded" }
        )
        const [winner, ...others] = answers.toSorted((first, second) => first.status - second.status)
        if (winner === undefined) return assert.fail("There was no answer.")
        assertStatus(winner, 200)
        for (const answer of others) assertProblem(answer, 409, "refresh_superseded")
        const token = Redacted.make(textAt(winner, "accessToken"))
        for (const node of [one, other]) assertStatus(yield* read(tenant, { token }).pipe(on(node)), 200)
      })
    )

    it.effect("200 copies of a POST have one effect and one answer", () =>
      Effect.gen(function* () {
        const { one, other, tenant } = yield* situation
        const key = yield* freshText("key").pipe(on(one))
        const what = { token: tenant.owner.token, organization: tenant.organization.id }
        const send = call("POST", "/api/v1/automations", {
          ...what,
          headers: { "idempotency-key": key },
          body: { name: "Greet" }
        })
        const isUnderWay = ({ body }: Answer) => body.code === "idempotency_key_in_progress"
        const first = yield* Effect.forEach(
          Array.from({ length: 200 }, (_, index) => (index % 2 === 0 ? one : other)),
          (node) =>
            send.pipe(
              on(node),
              Effect.map((answer) => ({ node, answer }))
            ),
          { concurrency: "unbounded" }
        )
        // The call with the effect has ended by now, so the concurrent calls get its result.
        const answers = yield* Effect.forEach(first, ({ answer, node }) =>
          isUnderWay(answer) ? send.pipe(on(node)) : Effect.succeed(answer)
        )
        const texts = new Set(answers.map(({ status, text }) => `${status} ${text}`))
        assert.strictEqual(texts.size, 1)
        assert.lengthOf(
          answers.filter(({ headers }) => headers.get("idempotency-replayed") === null),
          1
        )
        assertStatus(answers[0] ?? assert.fail("There was no answer."), 201)
      })
    )

    it.effect("a flood of guesses gets as many tries from two nodes as from one", () =>
      Effect.gen(function* () {
        const { one, other } = yield* situation
        const user = yield* givenUser({}).pipe(on(one))
        const answers = yield* Effect.forEach(
          Array.from({ length: 250 }, (_, index) => ({ node: index % 2 === 0 ? one : other, index })),
          ({ index, node }) =>
            call("POST", "/api/v1/auth/login", {
              body: { email: user.email, password: "wrong horse battery staple" },
              headers: { "x-forwarded-for": `198.51.100.${index}` }
            }).pipe(on(node)),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(
          answers.filter(({ status }) => status === 401),
          12
        )
        assert.lengthOf(
          answers.filter(({ status }) => status === 429),
          238
        )
      })
    )

    // All calls together would exceed the maximum wait for connections on a busy machine.
    it.effect("a thousand exchanges of one documentation code, 64 at a time: one succeeds", () =>
      Effect.gen(function* () {
        const { one, other, person, tenant } = yield* situation
        const code = yield* givenDocsCode(tenant.organization, person).pipe(on(one))
        const answers = yield* Effect.forEach(
          Array.from({ length: 1_000 }, (_, index) => (index % 2 === 0 ? one : other)),
          (node) => call("POST", "/api/v1/docs/exchange", { body: { code: Redacted.value(code) } }).pipe(on(node)),
          { concurrency: 64 }
        )
        assert.lengthOf(
          answers.filter(({ status }) => status === 200),
          1
        )
        for (const answer of answers.filter(({ status }) => status !== 200)) {
          assertProblem(answer, 400, "docs_code_invalid")
        }
      })
    )
  })

/** A limit is one limit, however many nodes count. */
export const sharedLimitsSuite = (name: string) =>
  layer(layerNodes({}, { rateLimits: { tokenPerMinute: 100, organizationPerMinute: 1_000, addressPerMinute: 50 } }))(
    name,
    (it) => {
      it.effect("two nodes together let no more through than the limit says", () =>
        Effect.gen(function* () {
          const { one, other } = yield* Nodes
          const tenant = yield* givenTenant().pipe(on(one))
          const answers = yield* Effect.forEach(
            Array.from({ length: 160 }, (_, index) => (index % 2 === 0 ? one : other)),
            (node) => read(tenant, tenant.owner).pipe(on(node)),
            { concurrency: 16 }
          )
          const passed = answers.filter(({ status }) => status === 200).length
          assert.isAtMost(passed, 100)
          assert.isAtLeast(passed, 96)
          for (const answer of answers.filter(({ status }) => status !== 200))
            assertProblem(answer, 429, "rate_limited")
        })
      )
    }
  )

const guesses = 60

/** Number of concurrent checks: with a key, only few calls get a transaction. */
const ways = [
  { way: "without a key", atOnce: guesses },
  { way: "with a key", atOnce: 2 }
] as const

/** Two nodes that hold password checks until the test releases them, and a signal when this many checks wait. */
const layerHeld = (atOnce: number) => {
  let held = 0
  const [allHeld, mayGoOn] = [Deferred.makeUnsafe<void>(), Deferred.makeUnsafe<void>()]
  const beforeChecking = Effect.suspend(() => {
    held += 1
    if (held === atOnce) Deferred.doneUnsafe(allHeld, Effect.void)
    return Deferred.await(mayGoOn)
  })
  return { nodes: layerNodes({ beforeChecking }), allHeld, mayGoOn }
}

/** A password check takes long. Calls that wait for it must not block other calls. */
export const passwordFloodSuite = (name: string) => {
  for (const { atOnce, way } of ways) {
    const { allHeld, mayGoOn, nodes } = layerHeld(atOnce)
    layer(nodes)(`${name} ${way}`, (it) => {
      it.effect("while many are being checked, other calls go on", () =>
        Effect.gen(function* () {
          const { one } = yield* Nodes
          const tenant = yield* givenTenant().pipe(on(one))
          const guess = Effect.fnUntraced(function* (index: number) {
            const key = yield* freshText("key")
            return yield* call("POST", "/api/v1/auth/login", {
              body: { email: `${key}@people.test`, password: "wrong horse battery staple" },
              headers: {
                "x-forwarded-for": `198.51.100.${index}`,
                ...(way === "with a key" && { "idempotency-key": key })
              }
            })
          })
          const flood = yield* Effect.forEach(
            Array.from({ length: guesses }, (_, index) => index),
            guess,
            {
              concurrency: "unbounded"
            }
          ).pipe(on(one), Effect.forkChild)
          yield* Deferred.await(allHeld)
          // More calls than connections: password checks that keep a connection would have enough time to take it.
          for (let index = 0; index < 20; index += 1) {
            const change = call("PATCH", "/api/v1/organization", {
              token: tenant.owner.token,
              organization: tenant.organization.id,
              body: { name: yield* freshText("Bakery").pipe(on(one)) }
            })
            assertStatus(yield* change.pipe(on(one)), 200)
          }
          yield* Deferred.succeed(mayGoOn, undefined)
          for (const answer of yield* Fiber.join(flood)) assertStatus(answer, 401)
        })
      )
    })
  }
}
