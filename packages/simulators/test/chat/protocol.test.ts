import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ada, bob, businessId, call, eventually, pass, phoneId, sendPath, simulator, text } from "./harness.ts"

const order = (more: object = {}) => ({
  name: "order_left",
  language: "en_US",
  category: "UTILITY",
  components: [
    { type: "HEADER", format: "IMAGE", example: { header_handle: ["x"] } },
    { type: "BODY", text: "Hello {{1}}, {{2}}!", example: { body_text: [["Ada", "17"]] } },
    { type: "BUTTONS", buttons: [{ type: "URL", text: "Look", url: "https://x.test/{{1}}", example: ["1"] }] }
  ],
  ...more
})

const header = { type: "header", parameters: [{ type: "image", image: { link: "https://x.test/a.png" } }] }
const body = (...texts: ReadonlyArray<string>) => ({
  type: "body",
  parameters: texts.map((text) => ({ type: "text", text }))
})
const button = { type: "button", sub_type: "url", index: "0", parameters: [{ type: "text", text: "1" }] }

const template = (to: string, components: ReadonlyArray<object>, more: object = {}) => ({
  messaging_product: "whatsapp",
  to,
  type: "template",
  template: { name: "order_left", language: { code: "en_US" }, components, ...more }
})

const malformed: ReadonlyArray<readonly [code: number, payload: unknown]> = [
  [100, "{"],
  [100, []],
  [100, { ...text(ada), messaging_product: "sms" }],
  [100, { ...text(ada), type: "telegram" }],
  [100, { ...text(ada), extra: 1 }],
  [100, { ...text(ada), text: { body: "x", extra: 1 } }],
  [131_008, { ...text(ada), to: undefined }],
  [131_009, { ...text(ada), to: "someone" }],
  [131_008, { ...text(ada), text: {} }],
  [131_009, { ...text(ada), text: { body: "" } }],
  [131_009, { ...text(ada), text: { body: "x".repeat(4_097) } }],
  [131_009, { ...text(ada), biz_opaque_callback_data: "x".repeat(513) }],
  [131_009, { ...text(ada), context: { message_id: "wamid.none" } }],
  [131_009, { ...text(ada), type: "image", text: undefined, image: { id: "none" } }],
  [100, { ...text(ada), type: "image", text: undefined, image: { id: "1", link: "https://x.test" } }],
  [131_009, { ...text(ada), type: "reaction", text: undefined, reaction: { message_id: "none", emoji: "👍" } }],
  [
    131_009,
    {
      ...text(ada),
      type: "interactive",
      text: undefined,
      interactive: {
        type: "button",
        body: { text: "x" },
        action: {
          buttons: ["a", "b", "c", "d"].map((id) => ({ type: "reply", reply: { id, title: id } }))
        }
      }
    }
  ]
]

const withoutUndefined = (payload: unknown) => (typeof payload === "string" ? payload : JSON.stringify(payload))

describe("The simulated provider", () => {
  it.live("refuses what the provider refuses, with its codes", () =>
    Effect.gen(function* () {
      const provider = yield* simulator({ pairMillis: 0 })
      provider.write(phoneId, ada, { type: "text", text: "Hi" })
      for (const [code, payload] of malformed) {
        const answer = yield* call(provider, sendPath, withoutUndefined(payload))
        assert.deepStrictEqual([answer.status >= 400, answer.code], [true, code], JSON.stringify(payload))
      }
      assert.lengthOf(provider.accepted(), 0)
      assert.strictEqual((yield* call(provider, sendPath, text(ada))).status, 200)
    })
  )

  it.live("records every call, and acts directly when it answers late", () =>
    Effect.gen(function* () {
      const provider = yield* simulator({ pairMillis: 0 })
      provider.write(phoneId, ada, { type: "text", text: "Hi" })
      provider.misbehave({ on: "messages", what: { kind: "error", code: 131_000 } })
      provider.misbehave({ on: "messages", what: { kind: "late", millis: 600_000 } })
      const refused = yield* call(provider, sendPath, text(ada, { biz_opaque_callback_data: "one" }))
      assert.strictEqual(refused.code, 131_000)
      yield* Effect.forkScoped(call(provider, sendPath, text(ada, { biz_opaque_callback_data: "two" })))
      yield* eventually(() => provider.accepted().length === 1)
      assert.deepStrictEqual(
        provider.calls().map(({ reference, scripted }) => [reference, scripted?.kind]),
        [
          ["one", "error"],
          ["two", "late"]
        ]
      )
    })
  )

  it.live("knows its numbers and who may use them", () =>
    Effect.gen(function* () {
      const provider = yield* simulator()
      provider.addNumber({ phoneId: "201", businessId: "101", displayPhone: "15550100002", accessToken: "other" })
      assert.strictEqual((yield* call(provider, sendPath, text(ada), "nobody")).code, 190)
      assert.strictEqual((yield* call(provider, sendPath, text(ada), "other")).code, 100)
      assert.strictEqual((yield* call(provider, "/v24.0/999/messages", text(ada))).code, 100)
      assert.strictEqual((yield* call(provider, "/v24.0/201", undefined, "other")).status, 200)
      assert.strictEqual((yield* call(provider, "/v24.0/101/message_templates")).code, 100)
      assert.strictEqual((yield* call(provider, "/v24.0/201/nothing", {}, "other")).code, 100)
    })
  )

  it.live("opens a window for 24 hours, and for 72 after an advertisement", () =>
    Effect.gen(function* () {
      const provider = yield* simulator()
      const send = (to: string) => Effect.map(call(provider, sendPath, text(to)), ({ code }) => code)
      const hours = (count: number) => pass(provider, count * 3_600_000)
      assert.strictEqual(yield* send(ada), 131_047)
      provider.write(phoneId, ada, { type: "text", text: "Hi" })
      provider.write(phoneId, bob, { type: "text", text: "Hi" }, { fromAdvertisement: true })
      yield* hours(23.9)
      assert.deepStrictEqual([yield* send(ada), yield* send(bob)], [null, null])
      yield* hours(0.1)
      assert.deepStrictEqual([yield* send(ada), yield* send(bob)], [131_047, null])
      yield* hours(48)
      assert.strictEqual(yield* send(bob), 131_047)
    })
  )

  it.live("keeps a number to its rate, and apart to each customer", () =>
    Effect.gen(function* () {
      const provider = yield* simulator({ throughputPerSecond: 5 })
      for (const to of [ada, bob, "15551230003"]) provider.write(phoneId, to, { type: "text", text: "Hi" })
      yield* pass(provider, 2_000)
      const send = (to: string) => Effect.map(call(provider, sendPath, text(to)), ({ code }) => code)
      assert.deepStrictEqual([yield* send(ada), yield* send(ada)], [null, 131_056])
      yield* pass(provider, 5_999)
      assert.deepStrictEqual([yield* send(ada), yield* send(bob)], [131_056, null])
      yield* pass(provider, 1)
      assert.strictEqual(yield* send(ada), null)
      for (let count = 0; count < 5; count += 1) provider.write(phoneId, bob, { type: "text", text: "Hi" })
      assert.strictEqual(yield* send("15551230003"), 130_429)
      yield* pass(provider, 1_000)
      assert.strictEqual(yield* send("15551230003"), null)
    })
  )

  it.live("approves a template after a while, and checks what fills it", () =>
    Effect.gen(function* () {
      const provider = yield* simulator({ pairMillis: 0 })
      const templates = `/v24.0/${businessId}/message_templates`
      const send = (...components: ReadonlyArray<object>) =>
        Effect.map(call(provider, sendPath, template(ada, components)), ({ code }) => code)
      for (const wrong of [
        order({ name: "No Spaces" }),
        order({ category: "SPAM" }),
        order({ components: [] }),
        order({ components: [{ type: "BODY", text: "Hi {{1}}" }] })
      ]) {
        assert.isNotNull((yield* call(provider, templates, wrong)).code)
      }
      assert.include((yield* call(provider, templates, order())).body, '"status":"PENDING"')
      assert.strictEqual((yield* call(provider, templates, order())).code, 100)
      assert.strictEqual(yield* send(header, body("Ada", "17"), button), 132_001)
      yield* pass(provider, 1_000)
      assert.strictEqual(yield* send(header, body("Ada", "17"), button), null)
      assert.strictEqual(yield* send(header, body("Ada"), button), 132_000)
      assert.strictEqual(yield* send(header, body("Ada", "17", "x"), button), 132_000)
      assert.strictEqual(yield* send(body("Ada", "17"), button), 132_000)
      assert.strictEqual(yield* send(header, body("Ada", "17")), 132_000)
      assert.strictEqual(yield* send(header, body("Ada\n", "17"), button), 100)
      provider.decide(businessId, "order_left", "en_US", "PAUSED")
      assert.strictEqual(yield* send(header, body("Ada", "17"), button), 132_015)
      provider.decide(businessId, "order_left", "en_US", "DISABLED")
      assert.strictEqual(yield* send(header, body("Ada", "17"), button), 132_016)
    })
  )

  it.live("refuses recipients who opted out of marketing, and unreachable ones", () =>
    Effect.gen(function* () {
      const provider = yield* simulator({ pairMillis: 0 })
      const news = { ...order(), name: "news", category: "MARKETING", components: [{ type: "BODY", text: "News" }] }
      yield* call(provider, `/v24.0/${businessId}/message_templates`, news)
      yield* pass(provider, 1_000)
      const send = Effect.map(call(provider, sendPath, template(ada, [], { name: "news" })), ({ code }) => code)
      assert.strictEqual(yield* send, null)
      provider.prefer(phoneId, ada, "stop")
      assert.strictEqual(yield* send, 131_050)
      provider.prefer(phoneId, ada, "resume")
      provider.setReachable(ada, false)
      assert.strictEqual(yield* send, 131_026)
    })
  )
})
