import { assert } from "@effect/vitest"
import { Outbox } from "@parley/domain/kernel"
import { layerChatChannels } from "@parley/domain/messaging"
import type { Ports } from "@parley/domain/composition"
import { MemoryChat } from "@parley/testkit"
import { Effect, Latch, Layer } from "effect"
import { TestClock } from "effect/testing"
import { assertProblem, assertStatus, idsOf, rowsOf, textAt } from "../harness/answers.ts"
import { type Endpoint, endpoints, isWebhook, readsFiles, readsJson } from "../harness/contract.ts"
import { countEffects } from "../harness/effects.ts"
import { givenNumber } from "../harness/inbox.ts"
import { type Answer, call } from "../harness/Http.ts"
import { layerBetweenCommitAndAnswer } from "../harness/lostAnswers.ts"
import { hasRequest, validRequest, type ValidRequest } from "../harness/requests.ts"
import { overHttp } from "../harness/service.ts"
import { freshText, givenMember, givenPerson, givenTenant, signIn, type Tenant } from "../harness/tenants.ts"

/** Webhooks detect repeated deliveries by their content. */
/** Their key takes effect after the token of the path is checked, which the stored answers of a key would bypass: suites/automationTriggers.ts. */
const ownDeduplication: ReadonlySet<string> = new Set(["automationTriggers.trigger"])

const posts = endpoints.filter(
  (endpoint) => endpoint.method === "POST" && !isWebhook(endpoint) && !ownDeduplication.has(endpoint.id)
)

/** The endpoint ends the session that a repeated call needs. */
const endsItsSession = ({ id }: Endpoint) => id === "account.logout"

const repeatable = posts.filter((endpoint) => !endsItsSession(endpoint))

/** Number of concurrent copies of one request of each kind. */
const many = 200

/** Number of concurrent copies of requests similar to a request with many copies: more than the number of connections. */
const few = 20

/**
 * One POST endpoint of each kind, by the steps before and after the key is looked up: the required caller, the body reader, and whether the session
 * ends. The steps between the copies of a call are the same for all endpoints of a kind.
 */
const crowded: ReadonlySet<Endpoint> = new Set(
  new Map(
    posts.map((endpoint) => [
      [endpoint.admission, readsFiles(endpoint), readsJson(endpoint), endsItsSession(endpoint)].join(),
      endpoint
    ])
  ).values()
)

const isAnonymous = ({ admission }: Endpoint) => admission === "public"

const isReplay = ({ headers }: Answer) => headers.get("idempotency-replayed") === "true"

const send = ({ path, ...what }: ValidRequest, key: string, headers: Record<string, string> = {}) =>
  call("POST", path, { ...what, headers: { ...what.headers, "idempotency-key": key, ...headers } })

const notYet = new Set<unknown>(["idempotency_key_in_progress", "login_overloaded", "service_unavailable"])

/** Sends, and again as long as the answer is that the first is still at work, or that it is not this one's turn. */
const sendUntilAnswered = Effect.fnUntraced(function* (request: ValidRequest, key: string) {
  while (true) {
    const answer = yield* send(request, key)
    if (!notYet.has(answer.body.code)) return answer
    yield* TestClock.withLive(Effect.sleep("20 millis"))
  }
})

const withOtherBody = (request: ValidRequest): ValidRequest => ({
  ...request,
  ...(request.text === undefined
    ? // An endpoint without a body refuses fields first.
      { body: typeof request.body === "object" ? { ...request.body, surprise: 1 } : {} }
    : { text: `${request.text}surprise` })
})

/** Changes of an endpoint in its organization by a request of this form. */
const effectsOf = Effect.fnUntraced(function* <A, R>(
  endpoint: Endpoint,
  how: (request: ValidRequest, key: string) => Effect.Effect<A, never, R>
) {
  const tenant = yield* givenTenant()
  const request = yield* validRequest(endpoint, { tenant, person: tenant.owner })
  const before = yield* countEffects(tenant.organization)
  const answer = yield* how(request, yield* freshText("key"))
  const after = yield* countEffects(tenant.organization)
  return { answer, audited: after.audited - before.audited, events: after.events - before.events }
})

const lost = "lost-on-the-way-"

/** An outbox that can be broken for a while. */
const makeBreakable = () => {
  const state = { isBroken: false }
  const layer = Layer.effect(
    Outbox,
    Effect.map(Outbox, (outbox) =>
      Outbox.of({
        append: (event) =>
          Effect.suspend(() => (state.isBroken ? Effect.die(new Error("Broken.")) : outbox.append(event)))
      })
    )
  )
  return { state, layer }
}

/** A POST with an `Idempotency-Key` has its effect once, however often it comes. */
export const idempotencySuite = <E>(name: string, ports: Layer.Layer<Ports, E>) => {
  overHttp(name, ports, (it) => {
    it("every POST takes a key, and there is a request to try it with", () => {
      assert.isNotEmpty(posts)
      assert.isEmpty(posts.filter(({ isIdempotent }) => !isIdempotent).map(({ id }) => id))
      assert.isEmpty(
        endpoints.filter((endpoint) => !hasRequest(endpoint)).map(({ id }) => id),
        "Add a fixture to packages/testkit/src/fixtures, or a request to harness/ownRequests.ts."
      )
      assert.isEmpty(endpoints.filter(({ isIdempotent, method }) => isIdempotent && method !== "POST"))
    })

    it.effect.each(repeatable)("$id sent again is the same bytes, and nothing happens", (endpoint) =>
      Effect.gen(function* () {
        const once = yield* effectsOf(endpoint, send)
        assertStatus(once.answer, endpoint.success)
        assert.isFalse(isReplay(once.answer))

        const thrice = yield* effectsOf(endpoint, (request, key) =>
          Effect.gen(function* () {
            const first = yield* send(request, key)
            yield* TestClock.adjust("2 seconds")
            for (const again of [yield* send(request, key), yield* send(request, key)]) {
              assert.isTrue(isReplay(again))
              assert.strictEqual(again.status, first.status)
              assert.strictEqual(again.text, first.text)
              assert.strictEqual(again.headers.get("content-type"), first.headers.get("content-type"))
              assert.notStrictEqual(again.headers.get("x-request-id"), first.headers.get("x-request-id"))
            }
            return first
          })
        )
        assert.deepStrictEqual([thrice.audited, thrice.events], [once.audited, once.events])
      })
    )

    it.effect.each(posts)("$id sent with the key of another request is refused, or another caller's", (endpoint) =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const request = yield* validRequest(endpoint, { tenant, person: tenant.owner })
        const key = yield* freshText("key")
        const first = yield* send(request, key)
        assertStatus(first, endpoint.success)
        const other = yield* send(withOtherBody(request), key)
        assert.isFalse(isReplay(other))
        if (isAnonymous(endpoint)) assertProblem(other, 400, "validation_failed")
        else if (endsItsSession(endpoint)) assertProblem(other, 401, "token_revoked")
        else assertProblem(other, 422, "idempotency_key_reused")
      })
    )

    it.effect.each(posts.map((endpoint) => ({ endpoint, id: endpoint.id, times: crowded.has(endpoint) ? many : few })))(
      "$id sent $times times concurrently has one effect and one answer",
      ({ endpoint, times }) =>
        Effect.gen(function* () {
          const once = yield* effectsOf(endpoint, send)
          const crowd = yield* effectsOf(endpoint, (request, key) =>
            Effect.forEach(Array.from({ length: times }), () => sendUntilAnswered(request, key), {
              concurrency: "unbounded"
            })
          )
          const [first, ...others] = crowd.answer.filter((answer) => !isReplay(answer) && answer.status < 400)
          assert.isDefined(first)
          assert.isEmpty(others)
          for (const answer of crowd.answer) {
            if (endsItsSession(endpoint) && answer.status === 401) assertProblem(answer, 401, "token_revoked")
            else assert.deepStrictEqual([answer.status, answer.text], [first?.status, first?.text])
          }
          assert.deepStrictEqual([crowd.audited, crowd.events], [once.audited, once.events])
        }),
      30_000
    )

    it.effect.each(posts.filter((endpoint) => !isAnonymous(endpoint)))(
      "$id: the same key of another person, or in another organization, is another key",
      (endpoint) =>
        Effect.gen(function* () {
          const tenant = yield* givenTenant()
          const other = yield* givenTenant()
          const second = yield* givenPerson(tenant.organization, "owner")
          yield* givenMember(other.organization, tenant.owner.user, "owner")
          const key = yield* freshText("key")
          const from = (place: Tenant, person: typeof second) =>
            Effect.flatMap(validRequest(endpoint, { tenant: place, person }), (request) => send(request, key))

          const answers = [yield* from(tenant, tenant.owner), yield* from(tenant, second)]
          if (endpoint.admission === "organization") {
            answers.push(yield* from(other, { ...tenant.owner, ...(yield* signIn(tenant.owner.user)) }))
          }
          for (const answer of answers) {
            assertStatus(answer, endpoint.success)
            assert.isFalse(isReplay(answer))
          }
        })
    )

    it.effect("strangers who send the same key meet only if they send the same", () =>
      Effect.gen(function* () {
        const one = yield* givenTenant()
        const other = yield* givenTenant()
        const login = endpoints.find(({ id }) => id === "sessions.login")
        if (login === undefined) return assert.fail("There is no login.")
        const key = yield* freshText("key")
        for (const tenant of [one, other]) {
          const answer = yield* send(yield* validRequest(login, { tenant, person: tenant.owner }), key)
          assertStatus(answer, 200)
          assert.isFalse(isReplay(answer))
        }
      })
    )

    it.effect("a problem that a use case answers with is replayed too", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant("free")
        const what = { token: tenant.owner.token, organization: tenant.organization.id }
        const requests: ReadonlyArray<readonly [ValidRequest, number, string]> = [
          [
            { ...what, path: "/api/v1/members", body: { email: tenant.owner.user.email, role: "agent" } },
            409,
            "member_exists"
          ],
          [{ ...what, path: "/api/v1/automations", body: { name: "Greet" } }, 403, "feature_not_in_plan"],
          [
            { path: "/api/v1/auth/login", body: { email: "nobody@people.test", password: "x" } },
            401,
            "invalid_credentials"
          ],
          [{ path: "/api/v1/docs/exchange", body: { code: "x" } }, 400, "docs_code_invalid"]
        ]
        for (const [request, status, code] of requests) {
          const key = yield* freshText("key")
          const first = yield* send(request, key)
          assertProblem(first, status, code)
          const again = yield* send(request, key)
          assert.isTrue(isReplay(again))
          assert.strictEqual(again.text, first.text)
          assert.strictEqual(again.headers.get("www-authenticate"), first.headers.get("www-authenticate"))
        }
      })
    )

    it.effect("a request refused before the use case stores nothing: a corrected one can use the same key", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const request = {
          token: tenant.owner.token,
          organization: tenant.organization.id,
          path: "/api/v1/automations",
          body: { name: "Greet" }
        }
        const key = yield* freshText("key")
        assertProblem(yield* send({ ...request, body: { name: "" } }, key), 400, "validation_failed")
        assertProblem(yield* send(request, key, { "content-type": "text/plain" }), 415, "unsupported_media_type")
        const { organization: _, ...without } = request
        assertProblem(yield* send(without, key), 400, "organization_header_missing")
        const answer = yield* send(request, key)
        assertStatus(answer, 201)
        assert.isFalse(isReplay(answer))
      })
    )

    it.effect("once there is an answer, all who ask for it at the same time get it", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const request = {
          token: tenant.owner.token,
          organization: tenant.organization.id,
          path: "/api/v1/automations",
          body: { name: "Greet" }
        }
        const key = yield* freshText("key")
        const first = yield* send(request, key)
        const others = yield* Effect.forEach(Array.from({ length: 40 }), () => send(request, key), {
          concurrency: "unbounded"
        })
        for (const other of others) {
          assertStatus(other, 201)
          assert.strictEqual(other.text, first.text)
        }
      })
    )

    it.effect('"not now" is no answer to keep', () =>
      Effect.gen(function* () {
        const email = `${yield* freshText("nobody")}@people.test`
        const login = (password: string) => ({ path: "/api/v1/auth/login", body: { email, password } })
        for (let count = 0; count < 250; count++) {
          yield* send(login(`wrong ${count}`), yield* freshText("key"), { "x-forwarded-for": `192.0.2.${count}` })
        }
        const key = yield* freshText("key")
        assertProblem(yield* send(login("once more"), key), 429, "login_throttled")
        yield* TestClock.adjust("15 minutes")
        const answer = yield* send(login("once more"), key)
        assertProblem(answer, 401, "invalid_credentials")
        assert.isFalse(isReplay(answer))
      })
    )

    it.effect("an answer is kept for 24 hours", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const key = yield* freshText("key")
        const create = Effect.gen(function* () {
          const { token } = yield* signIn(tenant.owner.user)
          return yield* send(
            { token, organization: tenant.organization.id, path: "/api/v1/automations", body: { name: "Greet" } },
            key
          )
        })
        const first = yield* create
        yield* TestClock.adjust("23 hours")
        yield* TestClock.adjust("59 minutes")
        assert.strictEqual((yield* create).text, first.text)
        yield* TestClock.adjust("1 minute")
        const afresh = yield* create
        assertStatus(afresh, 201)
        assert.isFalse(isReplay(afresh))
        assert.notStrictEqual(textAt(afresh, "id"), textAt(first, "id"))
        assert.isTrue(isReplay(yield* create))
      })
    )

    it.effect.each(["", "has space", "ünïcödé", "x".repeat(256), "tab\there"])("%j is no key", (key) =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const answer = yield* send(
          {
            token: tenant.owner.token,
            organization: tenant.organization.id,
            path: "/api/v1/automations",
            body: { name: "A" }
          },
          key
        )
        assertProblem(answer, 400, "idempotency_key_invalid")
      })
    )

    it.effect.each(["k", "x".repeat(255), "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"])("%j is one", (key) =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const request = {
          token: tenant.owner.token,
          organization: tenant.organization.id,
          path: "/api/v1/automations",
          body: { name: "A" }
        }
        assertStatus(yield* send(request, key), 201)
        assert.isTrue(isReplay(yield* send(request, key)))
      })
    )

    it.effect("without a key every call has its own effect", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const what = { token: tenant.owner.token, organization: tenant.organization.id }
        for (let count = 0; count < 2; count++) {
          assertStatus(yield* call("POST", "/api/v1/automations", { ...what, body: { name: "Greet" } }), 201)
        }
        assert.lengthOf(rowsOf(yield* call("GET", "/api/v1/automations", what)), 2)
      })
    )
  })

  const asked = { now: 0, most: 0 }
  const providerMayAnswer = Latch.makeUnsafe()

  const layerSlowProvider = layerChatChannels({
    whatsapp: Effect.map(MemoryChat.whole, (channel) => ({
      ...channel,
      checking: {
        check: (line) =>
          Effect.acquireUseRelease(
            Effect.sync(() => {
              asked.now += 1
              asked.most = Math.max(asked.most, asked.now)
            }),
            () => Effect.andThen(providerMayAnswer.await, channel.checking.check(line)),
            () => Effect.sync(() => void (asked.now -= 1))
          )
      }
    }))
  })

  overHttp(`${name}: a provider that takes its time`, layerSlowProvider.pipe(Layer.provideMerge(ports)), (it) => {
    it.effect("few wait for it in units of work, more wait for those, and all others get a retry answer", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { id } = yield* givenNumber(tenant.organization)
        const what = { token: tenant.owner.token, organization: tenant.organization.id }
        const path = `/api/v1/chat_accounts/${id}/check`
        const keys = yield* Effect.forEach(Array.from({ length: 100 }), () => freshText("key"))
        let refusals = 0
        const refusedUntilAllWait = (key: string) =>
          Effect.tap(send({ ...what, path }, key), ({ status }) => {
            if (status !== 200) refusals += 1
            return refusals === 34 ? providerMayAnswer.open : Effect.void
          })
        const answers = yield* Effect.forEach(keys, refusedUntilAllWait, { concurrency: "unbounded" })
        const refused = answers.filter(({ status }) => status !== 200)
        assert.lengthOf(refused, 34)
        for (const answer of refused) assertProblem(answer, 503, "service_unavailable")
        assert.isAtMost(asked.most, 2)
        const late = keys[answers.findIndex(({ status }) => status !== 200)] ?? ""
        const again = yield* send({ ...what, path }, late)
        assertStatus(again, 200)
        assert.isFalse(isReplay(again))
      })
    )
  })

  const gone = Effect.die(new Error("The process is gone."))

  overHttp(
    `${name}: an answer lost after its commit`,
    layerBetweenCommitAndAnswer(lost, gone).pipe(Layer.provideMerge(ports)),
    (it) => {
      it.effect.each(repeatable)(
        "$id sent again is the answer that was lost, and the effect is there once",
        (endpoint) =>
          Effect.gen(function* () {
            const once = yield* effectsOf(endpoint, send)
            const twice = yield* effectsOf(endpoint, (request, key) =>
              Effect.gen(function* () {
                const gone = yield* send(request, key, { "x-request-id": yield* freshText(lost) })
                assertProblem(gone, 500, "internal_error")
                const again = yield* send(request, key)
                assert.isTrue(isReplay(again))
                assertStatus(again, endpoint.success)
                return again
              })
            )
            assert.deepStrictEqual([twice.audited, twice.events], [once.audited, once.events])
          })
      )
    }
  )

  const breakable = makeBreakable()

  overHttp(`${name}: a failure before its commit`, breakable.layer.pipe(Layer.provideMerge(ports)), (it) => {
    it.effect("leaves neither an effect nor an answer, and the same call works later", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const what = { token: tenant.owner.token, organization: tenant.organization.id }
        const request = { ...what, path: "/api/v1/automations", body: { name: "Greet" } }
        const key = yield* freshText("key")
        breakable.state.isBroken = true
        assertProblem(yield* send(request, key), 500, "internal_error")
        assert.isEmpty(rowsOf(yield* call("GET", "/api/v1/automations", what)))
        breakable.state.isBroken = false
        const answer = yield* send(request, key)
        assertStatus(answer, 201)
        assert.isFalse(isReplay(answer))
        assert.deepStrictEqual(idsOf(yield* call("GET", "/api/v1/automations", what)), [textAt(answer, "id")])
      })
    )
  })
}
