import { assert, layer } from "@effect/vitest"
import { FeatureNotInPlan, type PlanName } from "@parley/domain/kernel"
import { ContactExists } from "@parley/domain/crm"
import { ConversationTransitionInvalid, MessageNotRetryable, SignupCodeRefused } from "@parley/domain/messaging"
import type { Automation } from "@parley/domain/automation"
import {
  codeChallenge,
  everybodysPassword,
  givenConversation,
  givenInvitation,
  givenMember,
  givenNumber,
  givenOrganization
} from "@parley/testkit"
import { Deferred, Effect, Fiber, Layer, Redacted, Ref, Stream } from "effect"
import { TestClock } from "effect/testing"
import { ParleyClient } from "../../src/client/index.ts"
import { answer, baseUrl, layer as layerService, loseAnswer, refuse, Wire } from "./Wire.ts"

const automations = "/api/v1/automations"

const givenOwner = Effect.fnUntraced(function* (plan: PlanName = "scale") {
  const organization = yield* givenOrganization({ plan })
  const { user } = yield* givenMember(organization, "owner")
  return { organization, email: user.email }
})

/** Runs on a dedicated wire without other requests. */
const alone = Effect.provide(Layer.fresh(layerService))

/** Runs all work that waits for no time. */
const settle = Effect.promise(() => new Promise((resolve) => setImmediate(resolve))).pipe(Effect.repeat({ times: 5 }))

/** Runs it while time goes by, in steps, until it is done. */
const asTimePasses = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(effect)
    const { isBusy } = yield* Wire
    const step = Effect.suspend(() => (isBusy() ? Effect.void : TestClock.adjust("1 second")))
    const moving = yield* settle.pipe(Effect.andThen(step), Effect.forever, Effect.forkChild)
    const result = yield* Fiber.join(fiber)
    yield* Fiber.interrupt(moving)
    return result
  })

const sentTo = Effect.fnUntraced(function* (path: string) {
  const { sent } = yield* Wire
  return sent.filter((request) => request.path === path)
})

const names = (rows: ReadonlyArray<Pick<Automation, "name">>) => rows.map(({ name }) => name)

/** A client of the contract. */
export interface Implementation {
  readonly name: string
  readonly make: typeof ParleyClient.make
  readonly login: typeof ParleyClient.login
}

/** The contract of clients: sessions, repetitions, lists, files and errors. */
export const clientContract = ({ login, make, name }: Implementation) => {
  const givenClient = Effect.fnUntraced(function* (
    options: Partial<ParleyClient.LoginOptions> & { readonly plan?: PlanName } = {}
  ) {
    const { plan, ...rest } = options
    const { email, organization } = yield* givenOwner(plan)
    const { client } = yield* login({ baseUrl, email, password: everybodysPassword, ...rest })
    return { client, organization, email }
  })

  layer(layerService)(name, (it) => {
    it.effect("logs in and acts in the only organization of the person", () =>
      Effect.gen(function* () {
        const { client, email, organization } = yield* givenClient()
        const me = yield* client.identity.me()
        assert.strictEqual(me.user.email, email)
        assert.strictEqual(me.organization.id, organization.id)
        assert.strictEqual((yield* client.organization.get()).id, organization.id)
      })
    )

    it.effect("fails with errors of the domain by name", () =>
      Effect.gen(function* () {
        const { client } = yield* givenClient({ plan: "free" })
        const availableIn = yield* client.automations.create({ payload: { name: "Thank customers" } }).pipe(
          Effect.as([]),
          Effect.catchTag("FeatureNotInPlan", (error) => {
            assert.instanceOf(error, FeatureNotInPlan)
            return Effect.succeed(error.availableIn)
          })
        )
        assert.deepStrictEqual(availableIn, ["growth", "scale"])
      })
    )

    it.effect("fails with the conflict of an older version", () =>
      Effect.gen(function* () {
        const { client } = yield* givenClient()
        const { id, version } = yield* client.automations.create({ payload: { name: "One" } })
        const rename = client.automations.update({
          params: { id },
          headers: { "if-match": version },
          payload: { name: "Two" }
        })
        assert.strictEqual((yield* rename).name, "Two")
        const conflict = yield* Effect.flip(rename)
        assert.strictEqual(conflict._tag, "VersionConflict")
      })
    )

    it.effect("reports an address without our service", () =>
      Effect.gen(function* () {
        const client = yield* make({ baseUrl: `${baseUrl}/nowhere` })
        assert.strictEqual((yield* Effect.flip(client.operations.health()))._tag, "PathNotFound")
      })
    )

    it.effect("sends a token only if the contract requires it", () =>
      Effect.gen(function* () {
        const { client } = yield* givenClient()
        yield* client.operations.jwks()
        yield* client.organization.get()
        const [keys] = yield* sentTo("/.well-known/jwks.json")
        const [organization] = yield* sentTo("/api/v1/organization")
        assert.isNull(keys?.headers.get("authorization") ?? null)
        assert.isNull(keys?.headers.get("x-organization-id") ?? null)
        assert.isNotNull(organization?.headers.get("authorization") ?? null)
        assert.isNotNull(organization?.headers.get("x-organization-id") ?? null)
        assert.isNull(organization?.headers.get("traceparent") ?? null)
      }).pipe(alone)
    )

    it.effect("gets the authorize URL of a shop as JSON, without a redirect", () =>
      Effect.gen(function* () {
        const { client } = yield* givenClient()
        const query = { shop: "acme.myshopify.com", codeChallenge }
        const { authorizeUrl } = yield* client.storeConnections.authorize({ query })
        assert.match(authorizeUrl, /authorize\?shop=acme\.myshopify\.com/)
      })
    )

    it.effect("acts in another organization on request", () =>
      Effect.gen(function* () {
        const { client, organization } = yield* givenClient()
        const other = yield* givenOrganization({})
        const refused = yield* client.organization.get().pipe(ParleyClient.inOrganization(other.id), Effect.flip)
        assert.strictEqual(refused._tag, "OrganizationForbidden")
        assert.strictEqual((yield* client.organization.get()).id, organization.id)
      })
    )
  })

  layer(layerService)(`repeating, in ${name},`, (it) => {
    it.effect("sends a new key with every POST, or the given key", () =>
      Effect.gen(function* () {
        const { client } = yield* givenClient()
        const create = client.automations.create({ payload: { name: "Once" } })
        const first = yield* create
        const second = yield* create
        assert.notStrictEqual(first.id, second.id)
        const mine = ParleyClient.withIdempotencyKey("my-own-key")
        assert.strictEqual((yield* mine(create)).id, (yield* mine(create)).id)
        const keys = (yield* sentTo(automations)).map(({ headers }) => headers.get("idempotency-key"))
        assert.strictEqual(new Set(keys).size, 3)
        assert.include(keys, "my-own-key")
      }).pipe(alone)
    )

    it.effect("creates a single resource after two lost answers to a POST", () =>
      Effect.gen(function* () {
        const { client } = yield* givenClient()
        const { breakNext } = yield* Wire
        breakNext(automations, loseAnswer)
        breakNext(automations, loseAnswer)
        const created = yield* asTimePasses(client.automations.create({ payload: { name: "Once" } }))
        const { data } = yield* client.automations.list()
        assert.deepStrictEqual(
          data.map(({ id }) => id),
          [created.id]
        )
      })
    )

    it.effect("waits for a running attempt of the same POST", () =>
      Effect.gen(function* () {
        const { client } = yield* givenClient()
        const { breakNext } = yield* Wire
        const problem = JSON.stringify({ code: "idempotency_key_in_progress" })
        breakNext(automations, answer(409, { "content-type": "application/problem+json" }, problem))
        const created = yield* asTimePasses(client.automations.create({ payload: { name: "Late" } }))
        assert.strictEqual(created.name, "Late")
      })
    )

    it.effect("does not repeat a change with an unknown result", () =>
      Effect.gen(function* () {
        const { client } = yield* givenClient()
        const { breakNext } = yield* Wire
        breakNext("/api/v1/organization", loseAnswer)
        const error = yield* Effect.flip(client.organization.update({ payload: { name: "New name" } }))
        assert.strictEqual(error._tag, "HttpClientError")
        assert.lengthOf(yield* sentTo("/api/v1/organization"), 1)
      }).pipe(alone)
    )

    it.effect.each([true, false])(
      "when the database was lost and the outcome is unknown: %s, repeats what that allows",
      (outcomeUnknown) =>
        Effect.gen(function* () {
          const { client } = yield* givenClient()
          const { breakNext } = yield* Wire
          const problem = {
            type: "/docs#problem/service_unavailable",
            title: "The service is unavailable",
            status: 503,
            detail: "It may have been made or not.",
            code: "service_unavailable",
            requestId: null,
            retryAfterSeconds: 2,
            outcomeUnknown
          }
          const headers = { "content-type": "application/problem+json", "retry-after": "2" }
          const lost = answer(503, headers, JSON.stringify(problem))
          breakNext(automations, lost)
          const created = yield* asTimePasses(client.automations.create({ payload: { name: "Keyed" } }))
          assert.strictEqual(created.name, "Keyed")
          breakNext("/api/v1/organization", lost)
          const changed = yield* asTimePasses(
            Effect.result(client.organization.update({ payload: { name: "New name" } }))
          )
          assert.strictEqual(changed._tag, outcomeUnknown ? "Failure" : "Success")
          assert.lengthOf(yield* sentTo("/api/v1/organization"), outcomeUnknown ? 1 : 2)
        }).pipe(alone)
    )

    it.effect("waits for the full time of Retry-After", () =>
      Effect.gen(function* () {
        const { client } = yield* givenClient()
        const { breakNext } = yield* Wire
        breakNext("/api/v1/organization", answer(429, { "retry-after": "7" }))
        const fiber = yield* Effect.forkChild(client.organization.get())
        yield* settle
        yield* TestClock.adjust("6900 millis")
        yield* settle
        assert.lengthOf(yield* sentTo("/api/v1/organization"), 1)
        yield* TestClock.adjust("100 millis")
        yield* Fiber.join(fiber)
        assert.lengthOf(yield* sentTo("/api/v1/organization"), 2)
      }).pipe(alone)
    )

    it.effect("returns the refusal if Retry-After exceeds its limit", () =>
      Effect.gen(function* () {
        const { client } = yield* givenClient()
        const { breakNext } = yield* Wire
        const problem = {
          type: "/docs#problem/rate_limited",
          title: "Too many requests",
          status: 429,
          detail: "Too many requests. Try again in 60 seconds.",
          code: "rate_limited",
          requestId: null,
          retryAfterSeconds: 60
        }
        const headers = { "content-type": "application/problem+json", "retry-after": "60" }
        breakNext("/api/v1/organization", answer(429, headers, JSON.stringify(problem)))
        const error = yield* Effect.flip(client.organization.get())
        assert.strictEqual(error._tag, "RateLimited")
      })
    )

    it.effect("gives up after the given number of attempts", () =>
      Effect.gen(function* () {
        const { client } = yield* givenClient({ retry: { times: 2 } })
        const { breakNext } = yield* Wire
        for (let count = 0; count < 5; count++) breakNext("/api/v1/organization", refuse)
        const error = yield* asTimePasses(Effect.flip(client.organization.get()))
        assert.strictEqual(error._tag, "HttpClientError")
        assert.lengthOf(yield* sentTo("/api/v1/organization"), 3)
      }).pipe(alone)
    )

    it.effect("handles a timeout as a missing answer", () =>
      Effect.gen(function* () {
        const { client } = yield* givenClient({ retry: { times: 1, attemptTimeout: "5 seconds" } })
        const { breakNext } = yield* Wire
        breakNext("/api/v1/organization", () => new Promise(() => {}))
        const found = yield* asTimePasses(client.organization.get())
        assert.strictEqual(found.status, "active")
      })
    )
  })

  layer(layerService)(`the session of ${name}`, (it) => {
    const refreshes = sentTo("/api/v1/auth/refresh")

    it.effect("renews an expired access token once for all calls, and saves the new pair first", () =>
      Effect.gen(function* () {
        const kept = yield* Ref.make<ReadonlyArray<ParleyClient.TokenPair>>([])
        const { client } = yield* givenClient({ onTokens: (pair) => Ref.update(kept, (pairs) => [...pairs, pair]) })
        yield* TestClock.adjust("16 minutes")
        const found = yield* Effect.all(
          Array.from({ length: 8 }, () => client.organization.get()),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(found, 8)
        assert.lengthOf(yield* refreshes, 1)
        assert.lengthOf(yield* Ref.get(kept), 2)
        yield* TestClock.adjust("16 minutes")
        yield* client.organization.get()
        assert.lengthOf(yield* Ref.get(kept), 3)
      }).pipe(alone)
    )

    it.effect("continues after a lost answer to a refresh", () =>
      Effect.gen(function* () {
        const { client } = yield* givenClient()
        const { breakNext } = yield* Wire
        yield* TestClock.adjust("16 minutes")
        breakNext("/api/v1/auth/refresh", loseAnswer)
        yield* asTimePasses(client.organization.get())
        yield* TestClock.adjust("16 minutes")
        yield* client.organization.get()
      })
    )

    it.effect("continues after an interrupted refresh", () =>
      Effect.gen(function* () {
        const { client } = yield* givenClient({ retry: { times: 0 } })
        const { breakNext } = yield* Wire
        yield* TestClock.adjust("16 minutes")
        breakNext("/api/v1/auth/refresh", loseAnswer)
        assert.strictEqual((yield* Effect.flip(client.organization.get()))._tag, "HttpClientError")
        yield* TestClock.adjust("1 minute")
        yield* client.organization.get()
      })
    )

    const sharing = Effect.fnUntraced(function* () {
      const { email, organization } = yield* givenOwner()
      const anybody = yield* make({ baseUrl })
      const { accessToken, refreshToken } = yield* anybody.sessions.login({
        payload: { email, password: everybodysPassword }
      })
      const pair = yield* Ref.make<ParleyClient.TokenPair>({ accessToken, refreshToken })
      const process = (onTokens: (tokens: ParleyClient.TokenPair) => Effect.Effect<void>) =>
        make({
          baseUrl,
          token: accessToken,
          refreshToken,
          organizationId: organization.id,
          sharedTokens: Ref.get(pair),
          onTokens
        })
      return { pair, process }
    })

    it.effect("uses tokens that another process renewed, any number of times", () =>
      Effect.gen(function* () {
        const { pair, process } = yield* sharing()
        const one = yield* process((tokens) => Ref.set(pair, tokens))
        const other = yield* process((tokens) => Ref.set(pair, tokens))
        yield* TestClock.adjust("16 minutes")
        yield* one.organization.get()
        yield* other.organization.get()
        assert.lengthOf(yield* refreshes, 1)
        yield* TestClock.adjust("16 minutes")
        yield* one.organization.get()
        yield* TestClock.adjust("16 minutes")
        yield* other.organization.get()
        assert.lengthOf(yield* refreshes, 3)
      }).pipe(alone)
    )

    it.effect("waits for the new pair of another process that has just used the token", () =>
      Effect.gen(function* () {
        const { pair, process } = yield* sharing()
        const late = yield* Deferred.make<ParleyClient.TokenPair>()
        const one = yield* process((tokens) => Deferred.succeed(late, tokens))
        const other = yield* process((tokens) => Ref.set(pair, tokens))
        yield* TestClock.adjust("16 minutes")
        yield* one.organization.get()
        const waiting = yield* Effect.forkChild(other.organization.get())
        yield* Effect.repeat(Effect.andThen(settle, refreshes), { until: (sent) => sent.length === 2 })
        const { isBusy } = yield* Wire
        yield* Effect.repeat(settle, { while: isBusy })
        yield* TestClock.adjust("1 second")
        yield* Ref.set(pair, yield* Deferred.await(late))
        yield* asTimePasses(Fiber.join(waiting))
        assert.lengthOf(yield* refreshes, 2)
      }).pipe(alone)
    )

    it.effect("ends when no caller shares the result of the refresh", () =>
      Effect.gen(function* () {
        const { process } = yield* sharing()
        const one = yield* process(() => Effect.void)
        const other = yield* process(() => Effect.void)
        yield* TestClock.adjust("16 minutes")
        yield* one.organization.get()
        const failure = yield* asTimePasses(Effect.flip(other.organization.get()))
        assert.strictEqual(failure._tag, "RefreshSuperseded")
      }).pipe(alone)
    )

    it.effect("returns the reason for its end", () =>
      Effect.gen(function* () {
        const { email, organization } = yield* givenOwner()
        const anybody = yield* make({ baseUrl })
        const { accessToken, refreshToken } = yield* anybody.sessions.login({
          payload: { email, password: everybodysPassword }
        })
        const session = { baseUrl, token: accessToken, refreshToken, organizationId: organization.id }
        yield* anybody.sessions.refresh({ payload: { refreshToken } })
        yield* TestClock.adjust("16 minutes")
        const client = yield* make(session)
        assert.strictEqual((yield* Effect.flip(client.organization.get()))._tag, "SessionReuseDetected")
      })
    )

    it.effect("does not renew access tokens without a refresh token", () =>
      Effect.gen(function* () {
        const { email, organization } = yield* givenOwner()
        const anybody = yield* make({ baseUrl })
        const { accessToken } = yield* anybody.sessions.login({ payload: { email, password: everybodysPassword } })
        yield* TestClock.adjust("16 minutes")
        const client = yield* make({ baseUrl, token: accessToken, organizationId: organization.id })
        assert.strictEqual((yield* Effect.flip(client.organization.get()))._tag, "TokenExpired")
      })
    )
  })

  layer(layerService)(`lists, in ${name},`, (it) => {
    it.effect("are read to the end, page by page", () =>
      Effect.gen(function* () {
        const { client } = yield* givenClient()
        for (const name of ["One", "Two", "Three", "Four", "Five"]) {
          yield* client.automations.create({ payload: { name } })
        }
        const read = (from: ParleyClient.From) => client.automations.list({ query: { ...from, limit: 2 } })
        const rows = yield* Stream.runCollect(ParleyClient.all(read))
        assert.deepStrictEqual(names(rows), ["Five", "Four", "Three", "Two", "One"])
        const pages = yield* Stream.runCollect(ParleyClient.pages(read))
        assert.deepStrictEqual(
          pages.map((page) => page.length),
          [2, 2, 1]
        )
      })
    )

    it.effect("are read only as far as required", () =>
      Effect.gen(function* () {
        const { client } = yield* givenClient()
        for (const name of ["One", "Two", "Three"]) yield* client.automations.create({ payload: { name } })
        const before = (yield* sentTo(automations)).length
        const read = (from: ParleyClient.From) => client.automations.list({ query: { ...from, limit: 1 } })
        yield* Stream.runDrain(Stream.take(ParleyClient.all(read), 1))
        assert.strictEqual((yield* sentTo(automations)).length - before, 1)
      }).pipe(alone)
    )

    it.effect("end at the latest event of the feed", () =>
      Effect.gen(function* () {
        const { client, organization } = yield* givenClient()
        yield* givenInvitation(organization, "grace@people.test")
        const feed = ParleyClient.all(({ cursor }) =>
          client.events.list({ query: { limit: 1, ...(cursor !== undefined && { after: cursor }) } })
        )
        const types = (yield* Stream.runCollect(feed)).map(({ event }) => event.type)
        assert.deepStrictEqual(types, ["organization.created", "member.joined", "member.invited"])
      })
    )
  })

  layer(layerService)(`the inbox, in ${name},`, (it) => {
    it.effect("can be changed, with the errors of the domain", () =>
      Effect.gen(function* () {
        const { client, organization } = yield* givenClient()
        const { id } = yield* givenConversation(organization)
        const queued = yield* client.messages.send({ params: { id }, payload: { kind: "text", text: "We do." } })
        assert.strictEqual(queued.status, "queued")
        const { data } = yield* client.conversations.list({ query: { status: ["open", "pending"], assignee: "none" } })
        assert.deepStrictEqual(
          data.map((each) => [each.id, each.lastMessage?.text]),
          [[id, "We do."]]
        )
        const retried = yield* Effect.flip(
          client.messages.retry({ params: { id, messageId: queued.id }, payload: { allowDuplicate: true } })
        )
        assert.deepStrictEqual(retried, new MessageNotRetryable({ status: "queued" }))
        yield* client.conversations.resolve({ params: { id } })
        const moved = yield* Effect.flip(client.conversations.resolve({ params: { id } }))
        assert.deepStrictEqual(
          moved,
          new ConversationTransitionInvalid({ from: "resolved", to: "resolved", allowed: ["open"] })
        )
        const spent = yield* Effect.flip(
          client.chatAccounts.connectThroughPlatformApp({
            payload: { code: Redacted.make("spent"), externalAccountId: "1", externalPhoneId: "2" }
          })
        )
        assert.instanceOf(spent, SignupCodeRefused)
        if (spent._tag === "SignupCodeRefused") assert.strictEqual(spent.providerCode, 100)
      })
    )

    it.effect("uploads and downloads files of each type", () =>
      Effect.gen(function* () {
        const { client } = yield* givenClient()
        const bytes = new TextEncoder().encode("%PDF-1.7 Rye bread: 4.20")
        const upload = (type: string) =>
          client.media.upload({
            query: { filename: "prices.pdf" },
            headers: { "content-type": type },
            payload: Stream.make(bytes.slice(0, 9), bytes.slice(9))
          })
        const file = yield* upload("application/pdf")
        assert.deepStrictEqual([file.kind, file.filename, file.size], ["document", "prices.pdf", bytes.length])
        const pieces = yield* Stream.runCollect(yield* client.media.download({ params: { id: file.id } }))
        assert.deepStrictEqual(Buffer.concat(pieces), Buffer.from(bytes))
        assert.strictEqual((yield* Effect.flip(upload("text/html")))._tag, "UnsupportedMediaType")
        const faulty = yield* Effect.flip(upload("image/png"))
        assert.strictEqual(faulty._tag, "ValidationFailed")
      })
    )

    it.effect("also simulates the provider", () =>
      Effect.gen(function* () {
        const { client, organization } = yield* givenClient()
        const account = yield* givenNumber(organization)
        const handshake = { "hub.mode": "subscribe", "hub.verify_token": `${account.id}: verify_token` }
        const params = { organization_id: organization.id }
        const query = { ...handshake, "hub.challenge": "1158201444" }
        assert.strictEqual(yield* client.chatWebhooks.verifyOwn({ params, query }), "1158201444")
        const wrong = yield* Effect.flip(client.chatWebhooks.verifyPlatform({ query }))
        assert.strictEqual(wrong._tag, "WebhookForbidden")
        const unsigned = yield* Effect.flip(
          client.chatWebhooks.receiveOwn({ params, payload: Stream.make(new TextEncoder().encode("{}")) })
        )
        assert.strictEqual(unsigned._tag, "WebhookSignatureInvalid")
      })
    )
  })

  layer(layerService)(`contacts, in ${name},`, (it) => {
    it.effect("can be listed by repeated parameters, attributes and filters", () =>
      Effect.gen(function* () {
        const { client } = yield* givenClient()
        yield* client.contactFields.create({ payload: { key: "city", name: "City", type: "text" } })
        const one = yield* client.tags.create({ payload: { name: "One" } })
        const two = yield* client.tags.create({ payload: { name: "Two" } })
        const marie = yield* client.contacts.create({
          payload: { name: "Marie", attributes: { city: "Paris & Sceaux" }, tags: [one.id, two.id] }
        })
        yield* client.contacts.create({ payload: { name: "Grace", tags: [one.id] } })
        const found = yield* client.contacts.list({
          query: {
            tag: [one.id, two.id],
            tagMatch: "all",
            "attribute.city": "Paris & Sceaux",
            filter: { not: { field: "email", op: "is_set" } }
          }
        })
        assert.deepStrictEqual(found.data, [{ ...marie }])
        const untagged = yield* client.contacts.untag({ params: { id: marie.id }, query: { tag: [one.id, two.id] } })
        assert.isEmpty(untagged.tags)
      })
    )

    it.effect("are created and changed by phone number, deleted and erased", () =>
      Effect.gen(function* () {
        const { client } = yield* givenClient()
        const put = (name: string) =>
          client.contacts.upsertByPhone({ params: { phone: "+491701234567" }, payload: { name } })
        const added = yield* put("Marie")
        const changed = yield* put("Madame Curie")
        assert.deepStrictEqual([changed.id, changed.name, changed.version], [added.id, "Madame Curie", 2])
        const clash = yield* Effect.flip(client.contacts.create({ payload: { phone: "+491701234567" } }))
        assert.instanceOf(clash, ContactExists)
        yield* client.contacts.delete({ params: { id: added.id }, query: { erase: true } })
        assert.isEmpty((yield* client.contacts.list()).data)
      })
    )

    it.effect("are changed directly or by a job, and the answer shows which", () =>
      Effect.gen(function* () {
        const { client } = yield* givenClient()
        const { id } = yield* client.contacts.create({ payload: { name: "Marie" } })
        const change = { action: "delete" } as const
        const started = yield* client.contacts.bulk({
          payload: { change, target: { filter: { field: "blocked", op: "is", value: true } } }
        })
        assert.strictEqual("state" in started && started.state, "queued")
        const done = yield* client.contacts.bulk({ payload: { change, target: { ids: [id] } } })
        assert.deepStrictEqual(done, { matched: 1, changed: 1, missing: [] })
      })
    )
  })
}
