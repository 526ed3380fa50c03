import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ada, call, pass, phoneId, sendPath, simulator } from "./harness.ts"

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

describe("requests of call permissions", () => {
  it.live("are limited to one a day and two a week, until a call connects", () =>
    Effect.gen(function* () {
      const provider = yield* simulator()
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
