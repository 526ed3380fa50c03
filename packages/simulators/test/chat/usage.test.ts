import { assert, describe, it } from "@effect/vitest"
import type { RunningChatSimulator } from "@parley/simulators/chat"
import { Effect } from "effect"
import { ada, at, businessId, phoneId, simulator, text } from "./harness.ts"

const minute = 60_000

const ask = (provider: RunningChatSimulator, path: string, body?: object) =>
  Effect.promise(async () => {
    const response = await fetch(`${provider.url}/v27.0/${path}`, {
      headers: { authorization: "Bearer simulator-token", "content-type": "application/json" },
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) })
    })
    await response.arrayBuffer()
    const header = response.headers.get("x-business-use-case-usage")
    return { status: response.status, usage: header === null ? null : at(JSON.parse(header), businessId, 0) }
  })

/** A number that is not registered: its account has 200 calls in an hour. */
const idle = (provider: RunningChatSimulator) => {
  provider.addNumber({ phoneId, businessId, displayPhone: ada, accessToken: "simulator-token" }, "verified")
}

describe("the usage headers", () => {
  it.live("report the use of the limit, which is lower without a registered number", () =>
    Effect.gen(function* () {
      const provider = yield* simulator()
      for (let index = 0; index < 49; index += 1) yield* ask(provider, businessId)
      assert.strictEqual(at((yield* ask(provider, businessId)).usage, "call_count"), 1)
      idle(provider)
      assert.strictEqual(at((yield* ask(provider, `${businessId}/phone_numbers`)).usage, "call_count"), 25)
    })
  )

  it.live("report the end of the limit with the refusal", () =>
    Effect.gen(function* () {
      const provider = yield* simulator()
      idle(provider)
      yield* ask(provider, businessId)
      provider.advance(10 * minute)
      for (let index = 0; index < 199; index += 1) yield* ask(provider, businessId)
      const refused = yield* ask(provider, phoneId)
      assert.strictEqual(refused.status, 400)
      assert.deepInclude(refused.usage, { call_count: 100, estimated_time_to_regain_access: 50 })
      provider.advance(50 * minute)
      assert.strictEqual((yield* ask(provider, phoneId)).status, 200)
    })
  )

  it.live("are absent on messages, which do not count", () =>
    Effect.gen(function* () {
      const provider = yield* simulator()
      provider.write(phoneId, ada, { type: "text", text: "hi" })
      assert.deepStrictEqual(yield* ask(provider, `${phoneId}/messages`, text(ada)), { status: 200, usage: null })
    })
  )
})
