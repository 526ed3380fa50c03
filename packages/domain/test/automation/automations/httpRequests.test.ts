import { assert, layer } from "@effect/vitest"
import { createTag, eraseContact, getContact, tagContact } from "@parley/domain/crm"
import {
  type AutomationAction,
  createAutomation,
  getAutomationRun,
  httpCallLaneWorker,
  type NewAutomation,
  testAutomation
} from "@parley/domain/automation"
import type { WebhookRequest } from "@parley/domain/integrations"
import { runDueLanes } from "@parley/domain/platform"
import {
  asOperatorOf,
  asOwnerOf,
  givenContact,
  givenContactField,
  givenOrganization,
  givenSubscription,
  MemoryReceivers,
  ReceiverScript,
  TestKit
} from "@parley/testkit"
import { Effect, Fiber, Latch, Redacted, type Schema } from "effect"
import { TestClock } from "effect/testing"
import { enabled, runsOf, settle } from "./engine.ts"

const { accepted, refused } = MemoryReceivers

const send = runDueLanes(httpCallLaneWorker)

const gaps = ["0 seconds", "6 seconds", "31 seconds"] as const

const lookup = (origin: string, others: Partial<Extract<AutomationAction, { type: "http_request" }>> = {}) =>
  ({
    id: "lookup",
    type: "http_request",
    method: "GET",
    url: `${origin}/customers/{{ contact.name }}?of={{ contact.name }}`,
    ...others
  }) as const satisfies AutomationAction

const keep: AutomationAction = {
  type: "set_attribute",
  attributes: { plan: "{{ steps.lookup.output.body.plan }} {{ steps.lookup.output.status }}" }
}

/** An automation that requests an answer and stores a part of it. */
const started = Effect.fnUntraced(function* (then?: (origin: string) => ReadonlyArray<AutomationAction>) {
  const organization = yield* givenOrganization({ plan: "scale" })
  const origin = `https://h${organization.id}.example`
  yield* givenContactField(organization, "plan")
  const begin = yield* createTag({ name: "begin" }).pipe(asOwnerOf(organization))
  const when = { event: "contact.tagged" as const, tagIds: [begin.id] }
  const automation = yield* enabled(organization, { when, then: then?.(origin) ?? [lookup(origin), keep] })
  const contact = yield* givenContact(organization, { name: "Ada/../Löve & Co" })
  yield* tagContact({ id: contact.id, tags: [begin.id] }).pipe(asOwnerOf(organization))
  yield* settle(organization)
  const url = `${origin}/customers/Ada%2F..%2FL%C3%B6ve%20%26%20Co?of=Ada%2F..%2FL%C3%B6ve%20%26%20Co`
  const script = yield* ReceiverScript
  const run = Effect.gen(function* () {
    const [found] = yield* runsOf(organization, automation)
    return yield* getAutomationRun({ id: automation.id, runId: found?.id ?? assert.fail("no run") }).pipe(
      asOwnerOf(organization)
    )
  })
  return {
    organization,
    automation,
    contact,
    origin,
    url,
    run,
    states: Effect.map(run, ({ actions, state }) => [
      state,
      ...actions.map(({ error, state: each }) => error?.code ?? each)
    ]),
    plan: Effect.map(
      getContact({ id: contact.id }).pipe(asOwnerOf(organization)),
      ({ attributes }) => attributes["plan"]
    ),
    posted: Effect.sync(() => script.posted(url)),
    answer: (status: number, body: Schema.Json, others: object = {}) =>
      Effect.sync(() =>
        script.answer(url, () =>
          Effect.succeed({ ...(status < 300 ? accepted : refused), status, text: JSON.stringify(body), ...others })
        )
      )
  }
})

const headersOf = ({ headers }: WebhookRequest) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Redacted.value(value)]))

layer(TestKit.layer)("an automation that sends an HTTP request", (it) => {
  it.effect("waits for the answer, and its later actions read it", () =>
    Effect.gen(function* () {
      const { answer, organization, plan, posted, run, states } = yield* started()
      yield* answer(200, { plan: "gold" })
      assert.deepStrictEqual(yield* states, ["running", "calling", "pending"])
      yield* send
      yield* settle(organization)
      assert.deepStrictEqual(yield* states, ["succeeded", "done", "done"])
      assert.strictEqual(yield* plan, "gold 200")
      const { actions, id } = yield* run
      assert.deepStrictEqual(actions[0]?.output, { status: 200, body: { plan: "gold" } })
      const [request = assert.fail("no request")] = yield* posted
      assert.deepStrictEqual([request.method, request.body, request.secrets.length], ["GET", "", 0])
      assert.deepStrictEqual([request.id, headersOf(request)["idempotency-key"]], [`${id}:0:1`, `${id}:0:1`])
    })
  )

  it.effect("shows the answer in the run, and not in the list of runs", () =>
    Effect.gen(function* () {
      const { answer, automation, organization, run } = yield* started()
      yield* answer(200, { plan: "gold" })
      yield* send
      yield* settle(organization)
      const [listed] = yield* runsOf(organization, automation)
      assert.isUndefined(listed?.actions[0]?.output)
      assert.isDefined((yield* run).actions[0]?.output)
    })
  )

  it.effect("repeats it with the same key, and fails with the last status", () =>
    Effect.gen(function* () {
      const { answer, organization, plan, posted, run, states } = yield* started()
      yield* answer(503, { plan: "none" })
      for (const gap of gaps) {
        yield* TestClock.adjust(gap)
        yield* send
      }
      yield* settle(organization)
      assert.deepStrictEqual(yield* states, ["failed", "http_status", "done"])
      assert.strictEqual(yield* plan, "none 503")
      const requests = yield* posted
      assert.deepStrictEqual(
        requests.map(({ attempt }) => attempt),
        [1, 2, 3]
      )
      assert.lengthOf(new Set(requests.map(({ id }) => id)), 1)
      assert.strictEqual((yield* run).actions[0]?.attempts, 3)
    })
  )

  it.effect("waits as long as the server requests, within two minutes", () =>
    Effect.gen(function* () {
      const { answer, posted } = yield* started()
      yield* answer(429, {}, { retryAfterSeconds: 3_600 })
      yield* send
      yield* TestClock.adjust("119 seconds")
      yield* send
      assert.lengthOf(yield* posted, 1)
      yield* TestClock.adjust("1 second")
      yield* send
      assert.lengthOf(yield* posted, 2)
    })
  )

  it.effect("treats an unknown path as a missing variable", () =>
    Effect.gen(function* () {
      const { answer, organization, run, states } = yield* started()
      yield* answer(200, ["no plan"])
      yield* send
      yield* settle(organization)
      assert.deepStrictEqual(yield* states, ["failed", "done", "missing_variable"])
      assert.strictEqual((yield* run).actions[1]?.error?.variable, "steps.lookup.output.body.plan")
    })
  )

  it.effect("signs it with the secret of a webhook subscription, and adds its headers", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      const origin = `https://s${organization.id}.example`
      const subscription = yield* givenSubscription(organization, {
        url: `${origin}/hook`,
        events: [],
        headers: { Authorization: "Bearer s3cret" }
      })
      const begin = yield* createTag({ name: "begin" }).pipe(asOwnerOf(organization))
      const body = { id: "{{ contact.id }}", count: "{{ event.position }}" }
      yield* enabled(organization, {
        when: { event: "contact.tagged", tagIds: [begin.id] },
        then: [
          {
            type: "http_request",
            method: "PUT",
            url: `${origin}/points`,
            webhookSubscriptionId: subscription.id,
            headers: { "X-Team": "{{ contact.name | upcase }}" },
            body
          }
        ]
      })
      const contact = yield* givenContact(organization, { name: "Ada" })
      yield* tagContact({ id: contact.id, tags: [begin.id] }).pipe(asOwnerOf(organization))
      yield* settle(organization)
      yield* send
      const script = yield* ReceiverScript
      const [request = assert.fail("no request")] = script.posted(`${origin}/points`)
      const { authorization, "x-team": team } = headersOf(request)
      assert.deepStrictEqual([request.method, authorization, team], ["PUT", "Bearer s3cret", "ADA"])
      assert.lengthOf(request.secrets, 1)
      const sent: { readonly id: string; readonly count: unknown } = JSON.parse(request.body)
      assert.deepStrictEqual([sent.id, typeof sent.count], [String(contact.id), "number"])
    })
  )

  it.effect("stores no answer of an attempt that was under way while its contact was erased", () =>
    Effect.gen(function* () {
      const { contact, organization, run, url } = yield* started()
      const script = yield* ReceiverScript
      const [isUnderWay, canEnd] = [Latch.makeUnsafe(), Latch.makeUnsafe()]
      script.answer(url, () => {
        isUnderWay.openUnsafe()
        return Effect.as(canEnd.await, { ...accepted, status: 200, text: '{"plan":"gold"}' })
      })
      const sending = yield* Effect.forkChild(send)
      yield* isUnderWay.await
      yield* eraseContact({ id: contact.id, ifVersion: null }).pipe(asOperatorOf(organization))
      canEnd.openUnsafe()
      yield* Fiber.join(sending)
      yield* settle(organization)
      const { actions, state } = yield* run
      assert.deepStrictEqual([state, actions[0]?.state], ["aborted", "skipped"])
      assert.isUndefined(actions[0]?.output)
      assert.notInclude(JSON.stringify(yield* run), "gold")
    })
  )

  it.effect("shows the request in a test, sends nothing, and accepts an assumed answer", () =>
    Effect.gen(function* () {
      const { automation, organization, posted, run, url } = yield* started()
      const { position } = (yield* run).event
      const tested = (answers?: NonNullable<Parameters<typeof testAutomation>[0]["answers"]>) =>
        testAutomation({ id: automation.id, position, ...(answers !== undefined && { answers }) }).pipe(
          asOwnerOf(organization),
          Effect.map(({ actions }) => actions)
        )
      const gold = yield* tested({ lookup: { status: 200, body: { plan: "gold" } } })
      assert.deepStrictEqual(gold[0]?.rendered, { type: "http_request", method: "GET", url })
      assert.deepStrictEqual(gold[1]?.rendered, { type: "set_attribute", attributes: { plan: "gold 200" } })
      const lost = yield* tested({ lookup: { status: 404, body: { plan: "none" } } })
      assert.deepStrictEqual([lost[0]?.refusal?.code, lost[1]?.refusal], ["http_status", null])
      assert.strictEqual((yield* tested())[1]?.refusal?.code, "missing_variable")
      const wrong = yield* Effect.flip(tested({ other: { status: 200 } }))
      assert.deepStrictEqual(wrong._tag === "ValidationFailed" ? wrong.errors.map(({ pointer }) => pointer) : wrong, [
        "/answers/other"
      ])
      assert.lengthOf(yield* posted, 0)
    })
  )

  it.effect("is refused at its place when it is saved", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      const subscription = yield* givenSubscription(organization, { url: "https://api.acme.com/hook", events: [] })
      const pointersOf = (...then: NonNullable<NewAutomation["then"]>) =>
        createAutomation({ name: "Routine", when: { event: "contact.created" }, then }).pipe(
          asOwnerOf(organization),
          Effect.flip,
          Effect.map((error) =>
            error._tag === "ValidationFailed" ? error.errors.map(({ pointer }) => pointer) : error
          )
        )
      const origin = "https://api.acme.com"
      const request = (others: object) => ({ ...lookup(origin), url: origin, ...others })
      const urls = [
        "http://api.acme.com/",
        "https://10.0.0.1/",
        "https://{{ contact.name }}.example/",
        "https://api.acme.com{{ contact.name }}",
        "https://a.example/{{ contact.name | url_encode }}",
        "https://a.example/{{ contact.nothing }}",
        "https://user@a.example/",
        "https://parley.test/"
      ]
      for (const url of urls) assert.deepStrictEqual([url, yield* pointersOf(request({ url }))], [url, ["/then/0/url"]])
      assert.deepStrictEqual(yield* pointersOf(request({ body: {} })), ["/then/0/body"])
      for (const name of ["Authorization", "x-api-key", "Host", "webhook-id", "Idempotency-Key"]) {
        assert.deepStrictEqual(yield* pointersOf(request({ headers: { [name]: "x" } })), [`/then/0/headers/${name}`])
      }
      const elsewhere = { url: "https://other.acme.com/", webhookSubscriptionId: subscription.id }
      assert.deepStrictEqual(yield* pointersOf(request(elsewhere)), ["/then/0/url"])
      assert.deepStrictEqual(yield* pointersOf(request({}), request({})), ["/then/1/id"])
      const early: AutomationAction = { type: "add_note", text: "{{ steps.lookup.output.status }}" }
      assert.deepStrictEqual(yield* pointersOf(early, request({})), ["/then/0/text"])
    })
  )

  it.effect("fails if a value would change the path", () =>
    Effect.gen(function* () {
      const { run, states } = yield* started((origin) => [{ type: "set_name", name: ".." }, lookup(origin)])
      assert.deepStrictEqual(yield* states, ["failed", "done", "validation_failed"])
      assert.strictEqual((yield* run).actions[1]?.error?.pointer, "/url")
    })
  )
})
