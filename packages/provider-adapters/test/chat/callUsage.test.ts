import { assert, describe, it } from "@effect/vitest"
import { whatsAppFact } from "@parley/testkit/corpora/whatsapp"
import { Effect, Fiber, Layer, Redacted } from "effect"
import { HttpClient, HttpClientRequest, HttpClientResponse } from "effect/http"
import { TestClock } from "effect/testing"
import { delayAt, usedPercentIn } from "../../src/chat/whatsapp/callUsage.ts"
import { Graph, layer } from "../../src/chat/whatsapp/Graph.ts"

const usage = (percent: number) => JSON.stringify({ "1": [{ type: "whatsapp", call_count: percent, total_time: 3 }] })

describe("The use of a call limit", () => {
  it("is the highest percentage of both headers", () => {
    const { headers = {} } = whatsAppFact("answers", "rate-limit-headers")
    const answer = { appUsage: headers["x-app-usage"], businessUsage: headers["x-business-use-case-usage"] }
    assert.strictEqual(usedPercentIn(answer), 97)
    assert.strictEqual(usedPercentIn({ appUsage: '{"call_count":28}', businessUsage: undefined }), 28)
    assert.isNull(usedPercentIn({ appUsage: undefined, businessUsage: undefined }))
    assert.strictEqual(usedPercentIn({ appUsage: "[", businessUsage: "null" }), 0)
  })

  it("delays nothing up to 80 percent, and then more with each percent", () => {
    assert.deepStrictEqual([0, 80, 90, 100, 400].map(delayAt), [0, 0, 2_500, 5_000, 5_000])
  })
})

describe("Management calls", () => {
  it.effect("wait after a high use of the token, while messages and other tokens do not", () =>
    Effect.gen(function* () {
      const called: Array<string> = []
      let percent = 90
      const client = HttpClient.make((request) =>
        Effect.sync(() => {
          called.push(request.url)
          const headers = { "x-business-use-case-usage": usage(percent) }
          return HttpClientResponse.fromWeb(request, new Response('{"success":true}', { headers }))
        })
      )
      const graph = Layer.provide(
        layer({ baseUrl: "https://graph.example" }),
        Layer.succeed(HttpClient.HttpClient, client)
      )
      yield* Effect.gen(function* () {
        const { ask } = yield* Graph
        const call = (path: string, token = "one") =>
          ask(HttpClientRequest.get(`https://graph.example/${path}`), [Redacted.make(token)], () => true)
        yield* call("templates")
        const second = yield* Effect.forkChild(call("templates"))
        yield* call("messages")
        yield* call("health", "two")
        yield* TestClock.adjust("2499 millis")
        assert.lengthOf(called, 3)
        percent = 50
        yield* TestClock.adjust("1 millis")
        yield* Fiber.join(second)
        yield* call("templates")
        assert.lengthOf(called, 5)
      }).pipe(Effect.provide(graph))
    })
  )
})
