import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { listenForReturn } from "../src/commands/stores/loopback.ts"

const post = (address: string, body: unknown, headers: Record<string, string> = {}) =>
  Effect.promise(async () => {
    const answer = await fetch(address, { method: "POST", body: JSON.stringify(body), headers })
    await answer.arrayBuffer()
    return answer.status
  })

describe("the browser that returns to a command", () => {
  it.live("posts the code of the fragment to the random path only", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { returned, returnTo } = yield* listenForReturn
        const address = new URL(returnTo)
        assert.strictEqual(address.hostname, "127.0.0.1")
        assert.strictEqual(address.hash, "")
        const waiting = yield* Effect.forkChild(returned)
        const page = yield* Effect.promise(async () => (await fetch(returnTo)).text())
        assert.include(page, "location.hash")
        assert.strictEqual(yield* post(`${address.origin}/`, { code: "x", result: null }), 404)
        assert.strictEqual(yield* post(returnTo, "nothing"), 400)
        assert.strictEqual(yield* post(returnTo, { code: "the code", result: null }), 204)
        assert.deepStrictEqual(yield* Fiber.join(waiting), { code: "the code", result: null })
      })
    )
  )

  it.live("returns the code of a problem after a refusal", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { returned, returnTo } = yield* listenForReturn
        assert.strictEqual(yield* post(returnTo, { code: null, result: "store_authorization_denied" }), 204)
        assert.deepStrictEqual(yield* returned, { code: null, result: "store_authorization_denied" })
      })
    )
  )
})
