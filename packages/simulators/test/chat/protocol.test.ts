import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import {
  ada,
  bob,
  businessId,
  call,
  eventually,
  kept,
  pass,
  phoneId,
  sendPath,
  simulator,
  statesOf,
  text
} from "./harness.ts"

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

  it.live("keeps a window open for 24 hours, also after an advertisement", () =>
    Effect.gen(function* () {
      const provider = yield* simulator(kept)
      const send = (to: string) => Effect.map(call(provider, sendPath, text(to)), ({ code }) => code)
      const hours = (count: number) => pass(provider, count * 3_600_000)
      assert.isNull(yield* send(ada))
      yield* hours(1)
      provider.write(phoneId, ada, { type: "text", text: "Hi" })
      provider.write(phoneId, bob, { type: "text", text: "Hi" }, { fromAdvertisement: true })
      yield* hours(23.9)
      for (const to of [ada, bob]) yield* send(to)
      yield* hours(0.1)
      for (const to of [ada, bob]) yield* send(to)
      yield* hours(0.1)
      const both = (state: string) => [state, state]
      assert.deepStrictEqual(statesOf(provider), [
        "failed 131047",
        ...["sent", "delivered", "read"].flatMap(both),
        ...both("failed 131047")
      ])
    })
  )

  it.live("limits a number to its throughput with the status 400", () =>
    Effect.gen(function* () {
      const provider = yield* simulator({ throughputPerSecond: 5 })
      for (let count = 0; count < 5; count += 1) provider.write(phoneId, bob, { type: "text", text: "Hi" })
      const { code, status } = yield* call(provider, sendPath, text(ada))
      assert.deepStrictEqual([status, code], [400, 130_429])
      yield* pass(provider, 1_000)
      assert.isNull((yield* call(provider, sendPath, text(ada))).code)
    })
  )

  it.live("allows a burst of 45 messages to one user, which silence repays", () =>
    Effect.gen(function* () {
      const provider = yield* simulator()
      const send = Effect.map(call(provider, sendPath, text(ada)), ({ code }) => code)
      const burst = yield* Effect.replicateEffect(send, 46)
      assert.deepStrictEqual(burst, [...Array.from({ length: 45 }, () => null), 131_056])
      yield* pass(provider, 45 * 6_000 - 1)
      assert.strictEqual(yield* send, 131_056)
      yield* pass(provider, 1)
      assert.isNull(yield* send)
      yield* pass(provider, 6_000)
      assert.isNull(yield* send)
    })
  )

  it.live("reports opt-outs and unreachable recipients in a receipt, or in the answer on request", () =>
    Effect.gen(function* () {
      for (const refusals of ["receipt", "answer"] as const) {
        const provider = yield* simulator({ ...kept, refusals })
        const template = {
          name: "news",
          language: "en_US",
          category: "MARKETING",
          components: [{ type: "BODY", text: "News" }]
        }
        yield* call(provider, `/v27.0/${businessId}/message_templates`, template)
        yield* pass(provider, 1_000)
        const message = { type: "template", text: undefined, template: { name: "news", language: { code: "en_US" } } }
        const send = Effect.map(call(provider, sendPath, text(ada, message)), ({ code }) => code)
        provider.prefer(phoneId, ada, "stop")
        const first = yield* send
        yield* pass(provider, 100)
        provider.prefer(phoneId, ada, "resume")
        provider.setReachable(ada, false)
        const second = yield* send
        yield* pass(provider, 100)
        const isReceipt = refusals === "receipt"
        assert.deepStrictEqual([first, second], isReceipt ? [null, null] : [131_050, 131_026])
        assert.deepStrictEqual(statesOf(provider), isReceipt ? ["failed 131050", "failed 131026"] : [])
      }
    })
  )
})
