import { assert, describe, it } from "@effect/vitest"
import type { RunningChatSimulator } from "@parley/simulators/chat"
import { Effect } from "effect"
import { ada, bob, businessId, call, kept, phoneId, plus, sendPath, simulator, text, valuesOf } from "./harness.ts"

const template = { name: "news", language: { code: "en_US" } }

const codeOf = (provider: RunningChatSimulator, path: string, body?: unknown) =>
  Effect.map(call(provider, path, body), ({ code }) => code)

/** A number with an approved template, which can be sent to anyone. */
const withTemplate = (options: object = {}) =>
  Effect.gen(function* () {
    const provider = yield* simulator({ ...kept, pairMillis: 0, ...options })
    const components = [{ type: "BODY", text: "Our new succulents have arrived." }]
    yield* call(provider, `/${businessId}/message_templates`, {
      name: "news",
      language: "en_US",
      category: "UTILITY",
      components
    })
    provider.decide(businessId, "news", "en_US", "APPROVED")
    return provider
  })

const sendTemplate = (provider: RunningChatSimulator, to: string, from = phoneId) =>
  codeOf(provider, `/${from}/messages`, {
    messaging_product: "whatsapp",
    to: plus(to),
    type: "template",
    template
  })

describe("A number", () => {
  it.live("sends only while it is connected", () =>
    Effect.gen(function* () {
      const provider = yield* withTemplate()
      for (const [status, code] of [
        ["DISCONNECTED", 133_010],
        ["PENDING", 133_010],
        ["DELETED", 33],
        ["FLAGGED", null],
        ["CONNECTED", null]
      ] as const) {
        provider.act({ act: "set_number", phoneId, status })
        assert.strictEqual(yield* sendTemplate(provider, ada), code, status)
      }
    })
  )

  it.live("gets no messages before it is registered", () =>
    Effect.gen(function* () {
      const provider = yield* simulator(kept)
      const number = { phoneId: "2", businessId, displayPhone: "15550100002", accessToken: "simulator-token" }
      provider.addNumber(number, "verified")
      provider.write("2", ada, { type: "text", text: "hi" })
      assert.isEmpty(valuesOf(provider, "messages"))
    })
  )

  it.live("has a throughput of 80 messages, of 1,000 after the upgrade, and of 20 in the app", () =>
    Effect.gen(function* () {
      const provider = yield* withTemplate()
      const sent = Effect.map(
        Effect.replicateEffect(sendTemplate(provider, ada), 81),
        (codes) => codes.filter((code) => code === null).length
      )
      assert.strictEqual(yield* sent, 80)
      provider.advance(1_000)
      provider.act({ act: "number_quality", phoneId, event: "THROUGHPUT_UPGRADE" })
      assert.strictEqual(yield* sent, 81)
      const number = { phoneId, businessId, displayPhone: "15550100001", accessToken: "simulator-token" }
      provider.addNumber(number, "coexistence")
      provider.advance(1_000)
      assert.strictEqual(yield* sent, 20)
    })
  )

  it.live("shares the messaging limit with the numbers of its portfolio", () =>
    Effect.gen(function* () {
      const provider = yield* withTemplate()
      const other = "100000000000002"
      provider.addNumber({ phoneId: "2", businessId: other, displayPhone: bob, accessToken: "simulator-token" })
      for (const each of [businessId, other]) {
        provider.act({ act: "set_account", businessId: each, ownerId: "7", messagingLimit: "TIER_50" })
      }
      for (let index = 0; index < 49; index += 1) yield* sendTemplate(provider, `1555100${String(1_000 + index)}`)
      const components = [{ type: "BODY", text: "Our new succulents have arrived." }]
      const created = { name: "news", language: "en_US", category: "UTILITY", components }
      yield* call(provider, `/${other}/message_templates`, created)
      provider.decide(other, "news", "en_US", "APPROVED")
      assert.isNull(yield* sendTemplate(provider, "15552000001", "2"))
      assert.strictEqual(yield* sendTemplate(provider, "15552000002"), 131_048)
    })
  )

  it.live("marks messages of customers as read, and no others", () =>
    Effect.gen(function* () {
      const provider = yield* simulator(kept)
      const received = provider.write(phoneId, ada, { type: "text", text: "hi" })
      const { body } = yield* call(provider, sendPath, text(ada))
      const sent = String(JSON.parse(body).messages[0].id)
      const read = (id: string, more: object = {}) =>
        codeOf(provider, sendPath, { messaging_product: "whatsapp", status: "read", message_id: id, ...more })
      assert.isNull(yield* read(received, { typing_indicator: { type: "text" } }))
      assert.strictEqual(yield* read(sent), 131_009)
      assert.strictEqual(yield* read(received, { messaging_product: undefined }), 100)
      assert.strictEqual(yield* read(received, { typing_indicator: { type: "audio" } }), 100)
    })
  )

  it.live("is read with the management permission only", () =>
    Effect.gen(function* () {
      const provider = yield* simulator(kept)
      const scopes = ["whatsapp_business_messaging"]
      provider.act({ act: "set_token", token: "simulator-token", scopes })
      assert.strictEqual(yield* codeOf(provider, `/${phoneId}`), 200)
    })
  )

  it.live("has no window with the customer after a message in a group", () =>
    Effect.gen(function* () {
      const provider = yield* simulator({ ...kept, refusals: "answer" })
      const groupId = provider.act({ act: "create_group", phoneId, subject: "Staff" }) ?? ""
      provider.write(phoneId, ada, { type: "text", text: "hi" }, { groupId })
      assert.strictEqual(yield* codeOf(provider, sendPath, text(ada)), 131_047)
    })
  )
})

describe("A message", () => {
  it.live("is refused with a coordinate that is no number", () =>
    Effect.gen(function* () {
      const provider = yield* simulator(kept)
      provider.write(phoneId, ada, { type: "text", text: "hi" })
      const send = (latitude: unknown) =>
        codeOf(
          provider,
          sendPath,
          text(ada, { type: "location", text: undefined, location: { latitude, longitude: "-122.16" } })
        )
      assert.isNull(yield* send("37.44"))
      assert.deepStrictEqual([yield* send(""), yield* send("north"), yield* send(91)], [131_009, 131_009, 131_009])
    })
  )

  it.live("has no other keys in its header", () =>
    Effect.gen(function* () {
      const provider = yield* simulator(kept)
      provider.write(phoneId, ada, { type: "text", text: "hi" })
      const action = { buttons: [{ type: "reply", reply: { id: "1", title: "Yes" } }] }
      const send = (header: object) =>
        codeOf(
          provider,
          sendPath,
          text(ada, {
            type: "interactive",
            text: undefined,
            interactive: { type: "button", header, body: { text: "Choose" }, action }
          })
        )
      assert.isNull(yield* send({ type: "text", text: "New" }))
      assert.strictEqual(yield* send({ type: "text", text: "New", sub_text: "Shop" }), 100)
      assert.strictEqual(
        yield* send({ type: "image", image: { link: "https://x.test/a.png", filename: "a.png" } }),
        100
      )
    })
  )
})

describe("The app", () => {
  it.live("subscribes to known webhook fields", () =>
    Effect.gen(function* () {
      const provider = yield* simulator(kept)
      const body = { object: "whatsapp_business_account", callback_url: "http://127.0.0.1:9/", verify_token: "v" }
      const subscribe = (fields: string) =>
        Effect.map(
          call(provider, "/300000000000001/subscriptions", { ...body, fields }, "300000000000001|simulator-app-secret"),
          (answer) => answer.code
        )
      assert.strictEqual(yield* subscribe("messages,everything"), 100)
      assert.strictEqual(yield* subscribe("messages,calls"), 2_200)
    })
  )
})
