import { assert, describe, it } from "@effect/vitest"
import type { RunningChatSimulator } from "@parley/simulators/chat"
import { Effect } from "effect"
import { ada, at, businessId, call, kept, pass, sendPath, simulator, statesOf, text, valuesOf } from "./harness.ts"

const path = `/${businessId}/message_templates`
const hour = 3_600_000
const day = 24 * hour

const body = { type: "BODY", text: "Hello {{1}}, here is {{2}}.", example: { body_text: [["Ada", "17"]] } }

const template = (more: object = {}) => ({
  name: "order_left",
  language: "en_US",
  category: "UTILITY",
  components: [body],
  ...more
})

const create = (provider: RunningChatSimulator, more: object = {}) => call(provider, path, template(more))

const send = (provider: RunningChatSimulator, ...components: ReadonlyArray<object>) =>
  Effect.map(
    call(
      provider,
      sendPath,
      text(ada, {
        type: "template",
        text: undefined,
        template: { name: "order_left", language: { code: "en_US" }, components }
      })
    ),
    ({ code }) => code
  )

const values = (...texts: ReadonlyArray<string>) => ({
  type: "body",
  parameters: texts.map((value) => ({ type: "text", text: value }))
})

const approved = (more: object = {}, options: object = {}) =>
  Effect.gen(function* () {
    const provider = yield* simulator({ ...kept, pairMillis: 0, ...options })
    const { body: answer, status } = yield* create(provider, more)
    assert.strictEqual(status, 200, answer)
    yield* pass(provider, 1_000)
    return { provider, id: String(JSON.parse(answer).id) }
  })

const named = { businessId, name: "order_left", language: "en_US" }
const url = (text: string) => ({ type: "URL", text, url: "https://x.test" })
const reply = (text: string) => ({ type: "QUICK_REPLY", text })
const buttons = (...all: ReadonlyArray<object>) => ({ components: [body, { type: "BUTTONS", buttons: all }] })
const otp = (more: object = {}) => ({ type: "BUTTONS", buttons: [{ type: "OTP", otp_type: "COPY_CODE", ...more }] })
const code = (...components: ReadonlyArray<object>) => ({ category: "AUTHENTICATION", components })

const refused: ReadonlyArray<readonly [fault: string, more: object]> = [
  ["capitals in the name", { name: "Order" }],
  ["an unknown category", { category: "SPAM" }],
  ["no body", { components: [{ type: "FOOTER", text: "Bye" }] }],
  ["no example", { components: [{ type: "BODY", text: "Hi {{1}} there" }] }],
  ["adjacent variables", { components: [{ ...body, text: "Hello {{1}} {{2}} there" }] }],
  ["a gap in the numbers", { components: [{ ...body, text: "Hello {{1}} and {{3}} there" }] }],
  ["a header over 60", { components: [body, { type: "HEADER", format: "TEXT", text: "x".repeat(61) }] }],
  ["a footer over 60", { components: [body, { type: "FOOTER", text: "x".repeat(61) }] }],
  ["a label over 25", buttons(reply("x".repeat(26)))],
  ["three links", buttons(url("a"), url("b"), url("c"))],
  ["divided quick replies", buttons(reply("a"), url("b"), reply("c"))],
  ["an unknown button", buttons({ type: "PAGE", text: "a" })],
  ["a coupon over 20", buttons({ type: "COPY_CODE", example: "x".repeat(21) })],
  ["a password button in another category", buttons({ type: "OTP", otp_type: "COPY_CODE" })],
  ["a text in an authentication body", code({ type: "BODY", text: "Your code is {{1}}." }, otp())],
  ["no password button", code({ type: "BODY" })],
  ["an expiry over 90", code({ type: "BODY" }, { type: "FOOTER", code_expiration_minutes: 91 }, otp())],
  ["one-tap without apps", code({ type: "BODY" }, otp({ otp_type: "ONE_TAP" }))],
  [
    "a short signature",
    code(
      { type: "BODY" },
      otp({ otp_type: "ONE_TAP", supported_apps: [{ package_name: "com.x", signature_hash: "a" }] })
    )
  ],
  [
    "an expiry of an authentication message over 900",
    { ...code({ type: "BODY" }, otp()), message_send_ttl_seconds: 901 }
  ],
  [
    "an offer in a utility template",
    { components: [body, { type: "LIMITED_TIME_OFFER", limited_time_offer: { text: "x" } }] }
  ],
  ["a carousel of one card", { components: [body, { type: "CAROUSEL", cards: [{ components: [] }] }] }]
]

describe("A template of the simulated provider", () => {
  for (const [fault, more] of refused) {
    it.live(`is refused with ${fault}`, () =>
      Effect.gen(function* () {
        const provider = yield* simulator(kept)
        const { code, status } = yield* create(provider, more)
        assert.deepStrictEqual([status, code], [400, 100])
      })
    )
  }

  it.live("is shown in capitals, with its buttons and examples in the provider's form", () =>
    Effect.gen(function* () {
      const { provider } = yield* approved({
        ...code({ type: "body", add_security_recommendation: true }, otp()),
        category: "authentication"
      })
      const { data } = JSON.parse((yield* call(provider, path)).body)
      assert.deepStrictEqual([data[0].category, data[0].components[0].type], ["AUTHENTICATION", "BODY"])
      assert.deepStrictEqual(data[0].components[1].buttons[0].type, "URL")
      const filling = [
        values("J$FpnYnP"),
        { type: "button", sub_type: "url", index: "0", parameters: [{ type: "text", text: "J$FpnYnP" }] }
      ]
      assert.isNull(yield* send(provider, ...filling))
      assert.strictEqual(yield* send(provider, values("J$FpnYnP")), 132_000)
      const nobody = provider.addCustomer(null)
      const message = text("", {
        to: undefined,
        recipient: nobody,
        type: "template",
        text: undefined,
        template: { name: "order_left", language: { code: "en_US" }, components: filling }
      })
      assert.strictEqual((yield* call(provider, sendPath, message)).code, 131_062)
    })
  )

  it.live("is filled as it was made", () =>
    Effect.gen(function* () {
      const { provider } = yield* approved()
      const cases: ReadonlyArray<readonly [ReadonlyArray<object>, number | null]> = [
        [[values("Ada", "17")], null],
        [[values("Ada")], 132_000],
        [[values("Ada", "17", "x")], 132_000],
        [[values("Ada\n", "17")], 132_018],
        [[values("Ada", "x".repeat(1_010))], 132_005],
        [[values("Ada", "17"), { type: "header", parameters: [{ type: "text", text: "x" }] }], 132_000],
        [[{ ...values("Ada", "17"), type: "BODY" }], null]
      ]
      for (const [components, code] of cases) {
        assert.strictEqual(yield* send(provider, ...components), code, JSON.stringify(components).slice(0, 80))
      }
    })
  )

  it.live("pauses for three and six hours, and is disabled the third time", () =>
    Effect.gen(function* () {
      const { provider } = yield* approved()
      const red = () => provider.act({ act: "template_quality", ...named, score: "RED" })
      const attempt = send(provider, values("Ada", "17"))
      red()
      yield* pass(provider, 3 * hour - 1)
      assert.strictEqual(yield* attempt, 132_015)
      yield* pass(provider, 1)
      assert.isNull(yield* attempt)
      red()
      yield* pass(provider, 6 * hour - 1)
      assert.strictEqual(yield* attempt, 132_015)
      yield* pass(provider, 1)
      red()
      assert.strictEqual(yield* attempt, 132_016)
      assert.strictEqual((yield* call(provider, `${path}?name=order_left`, undefined, undefined, "DELETE")).code, 100)
      assert.deepStrictEqual(
        valuesOf(provider, "message_template_status_update").map((value) => at(value, "other_info", "title")),
        [undefined, "FIRST_PAUSE", "UNPAUSE", "SECOND_PAUSE", "UNPAUSE", "DISABLED"]
      )
    })
  )

  it.live("holds messages, and releases them or fails them with a pause", () =>
    Effect.gen(function* () {
      const { id, provider } = yield* approved({}, { pacingMillis: null })
      const held = Effect.suspend(() => {
        provider.misbehave({ on: "messages", what: { kind: "held" } })
        return send(provider, values("Ada", "17"))
      })
      yield* held
      yield* pass(provider, hour)
      assert.deepStrictEqual(statesOf(provider), [])
      provider.act({ act: "release_held", ...named })
      yield* pass(provider, 1_000)
      assert.deepStrictEqual(statesOf(provider), ["sent", "delivered", "read"])
      yield* held
      provider.act({ act: "pause_by_pacing", ...named })
      yield* pass(provider, 1_000)
      assert.strictEqual(statesOf(provider).at(-1), "failed 132015")
      yield* pass(provider, day)
      assert.strictEqual(yield* send(provider, values("Ada", "17")), 132_015)
      assert.strictEqual((yield* call(provider, `/${id}/unpause`, {})).status, 200)
      assert.isNull(yield* send(provider, values("Ada", "17")))
    })
  )

  it.live("is edited once a day while it is approved, and reviewed again after a rejection", () =>
    Effect.gen(function* () {
      const { id, provider } = yield* approved()
      const edit = (more: object) => Effect.map(call(provider, `/${id}`, more), ({ code }) => code)
      const status = Effect.map(call(provider, `/${id}?fields=status`), ({ body }) => JSON.parse(body).status)
      const components = [{ type: "BODY", text: "Hello" }]
      assert.strictEqual(yield* edit({ category: "MARKETING" }), 100)
      assert.isNull(yield* edit({ components }))
      assert.strictEqual(yield* edit({ components }), 100)
      yield* pass(provider, day)
      assert.isNull(yield* edit({ components }))
      provider.decide(businessId, "order_left", "en_US", "REJECTED", "PROMOTIONAL")
      assert.isNull(yield* edit({ category: "MARKETING", components }))
      assert.strictEqual(yield* status, "PENDING")
      yield* pass(provider, 1_000)
      assert.strictEqual(yield* status, "APPROVED")
    })
  )

  it.live("blocks its name for 30 days after it is deleted", () =>
    Effect.gen(function* () {
      const { provider } = yield* approved()
      yield* call(provider, `${path}?name=order_left`, undefined, undefined, "DELETE")
      assert.include((yield* create(provider)).body, "2388023")
      yield* pass(provider, 30 * day)
      assert.strictEqual((yield* create(provider)).status, 200)
    })
  )

  it.live("is created up to 100 times an hour in an account", () =>
    Effect.gen(function* () {
      const provider = yield* simulator(kept)
      for (let index = 0; index < 100; index += 1) yield* create(provider, { name: `plain_${index}` })
      assert.strictEqual((yield* create(provider)).code, 80_008)
      yield* pass(provider, hour)
      assert.strictEqual((yield* create(provider)).status, 200)
    })
  )

  it.live("changes its category a day after the notice", () =>
    Effect.gen(function* () {
      const { provider } = yield* approved()
      provider.act({ act: "template_category", ...named, category: "MARKETING", isAnnounced: true })
      const category = Effect.map(call(provider, path), ({ body }) => JSON.parse(body).data[0].category)
      yield* pass(provider, day - 1)
      assert.strictEqual(yield* category, "UTILITY")
      yield* pass(provider, 1)
      assert.strictEqual(yield* category, "MARKETING")
    })
  )

  it.live("is listed by its status, category, language and name", () =>
    Effect.gen(function* () {
      const { provider } = yield* approved()
      yield* create(provider, { name: "news", category: "MARKETING", language: "pt_BR" })
      const names = (query: string) =>
        Effect.map(call(provider, `${path}?fields=name&${query}`), ({ body }) =>
          JSON.parse(body).data.map((each: unknown) => at(each, "name"))
        )
      assert.deepStrictEqual(yield* names("status=approved"), ["order_left"])
      assert.deepStrictEqual(yield* names("category=MARKETING"), ["news"])
      assert.deepStrictEqual(yield* names("language=pt_BR"), ["news"])
      assert.deepStrictEqual(yield* names("name=order_left"), ["order_left"])
      const page = JSON.parse((yield* call(provider, `/v27.0${path}?fields=name&limit=1`)).body)
      assert.match(page.paging.next, /\/v27\.0\/.*fields=name.*limit=1.*after=/u)
      assert.strictEqual((yield* call(provider, `${path}?fields=nothing`)).code, 100)
    })
  )
})
