import { assert, describe, it } from "@effect/vitest"
import type { RunningChatSimulator } from "@parley/simulators/chat"
import { Effect } from "effect"
import { ada, bob, businessId, call, pass, phoneId, sendPath, simulator } from "./harness.ts"

const day = 24 * 3_600_000

const request = {
  messaging_product: "whatsapp",
  recipient_type: "individual",
  to: `+${ada}`,
  type: "interactive",
  interactive: {
    type: "call_permission_request",
    action: { name: "call_permission_request" },
    body: { text: "May we call you?" }
  }
}

const enable = (provider: RunningChatSimulator) =>
  call(provider, `/${phoneId}/settings`, { calling: { status: "ENABLED" } })

const connect = {
  messaging_product: "whatsapp",
  to: `+${ada}`,
  action: "connect",
  session: { sdp_type: "offer", sdp: "v=0" }
}

const codeOfCall = (provider: RunningChatSimulator, from = phoneId) =>
  Effect.map(call(provider, `/${from}/calls`, connect), ({ code }) => code)

describe("requests of call permissions", () => {
  it.live("are limited to one a day and two a week, until a call connects", () =>
    Effect.gen(function* () {
      const provider = yield* simulator()
      yield* enable(provider)
      provider.write(phoneId, ada, { type: "text", text: "hi" })
      const codeOf = Effect.map(call(provider, sendPath, request), ({ code }) => code)
      assert.isNull(yield* codeOf)
      assert.strictEqual(yield* codeOf, 138_009)
      yield* pass(provider, day)
      provider.write(phoneId, ada, { type: "text", text: "hi" })
      assert.isNull(yield* codeOf)
      yield* pass(provider, day)
      provider.write(phoneId, ada, { type: "text", text: "hi" })
      assert.strictEqual(yield* codeOf, 138_009)
      const connected = { status: "COMPLETED", seconds: 10 } as const
      provider.act({ act: "call", phoneId, customer: ada, direction: "BUSINESS_INITIATED", ended: connected })
      assert.isNull(yield* codeOf)
    })
  )
})

describe("permissions of calls", () => {
  it.live("are necessary for calls, after calling is enabled", () =>
    Effect.gen(function* () {
      const provider = yield* simulator()
      provider.write(phoneId, ada, { type: "text", text: "hi" })
      assert.strictEqual(yield* codeOfCall(provider), 138_000)
      assert.strictEqual((yield* call(provider, sendPath, request)).code, 138_000)
      yield* enable(provider)
      assert.strictEqual(yield* codeOfCall(provider), 138_006)
      provider.write(phoneId, ada, { type: "call_permission", response: "accept" })
      assert.isNull(yield* codeOfCall(provider))
      provider.write(phoneId, ada, { type: "call_permission", response: "reject" })
      assert.strictEqual(yield* codeOfCall(provider), 138_006)
    })
  )

  it.live("end after seven days if they are temporary", () =>
    Effect.gen(function* () {
      const provider = yield* simulator()
      yield* enable(provider)
      provider.write(phoneId, ada, { type: "call_permission", response: "accept" })
      yield* pass(provider, 7 * day - 1_000)
      assert.isNull(yield* codeOfCall(provider))
      yield* pass(provider, 1_000)
      assert.strictEqual(yield* codeOfCall(provider), 138_006)
      provider.write(phoneId, ada, { type: "call_permission", response: "accept", isPermanent: true })
      yield* pass(provider, 30 * day)
      assert.isNull(yield* codeOfCall(provider))
    })
  )

  it.live("are for one number", () =>
    Effect.gen(function* () {
      const provider = yield* simulator()
      const other = "200000000000002"
      provider.addNumber({ phoneId: other, businessId, displayPhone: bob, accessToken: "simulator-token" })
      yield* enable(provider)
      yield* call(provider, `/${other}/settings`, { calling: { status: "ENABLED" } })
      provider.write(phoneId, ada, { type: "call_permission", response: "accept" })
      assert.isNull(yield* codeOfCall(provider))
      assert.strictEqual(yield* codeOfCall(provider, other), 138_006)
    })
  )

  it.live("follow from a call of the customer if the number permits callbacks", () =>
    Effect.gen(function* () {
      const provider = yield* simulator()
      const incoming = { act: "call", phoneId, customer: ada, direction: "USER_INITIATED", ended: null } as const
      yield* enable(provider)
      provider.act(incoming)
      assert.strictEqual(yield* codeOfCall(provider), 138_006)
      yield* call(provider, `/${phoneId}/settings`, { calling: { callback_permission_status: "ENABLED" } })
      provider.act(incoming)
      assert.isNull(yield* codeOfCall(provider))
    })
  )
})
