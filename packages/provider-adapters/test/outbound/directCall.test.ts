import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import type { Dispatcher } from "@effect/platform-node/Undici"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { HttpClientRequest } from "effect/http"
import { AnswerUnread } from "../../src/outbound/answers.ts"
import { directCall, notSent } from "../../src/outbound/directCall.ts"
import { answering, type Behaviour, listening } from "../chat/sockets.ts"

const limit = 1_000

const calling = (behaviour: Behaviour) =>
  Effect.gen(function* () {
    const server = yield* listening(behaviour)
    const call = directCall(yield* NodeHttpClient.makeDispatcher, limit)
    return { server, call }
  })

/** A dispatcher that holds its one request until the test continues it. */
const holding = () => {
  let handler: Dispatcher.DispatchHandler | null = null
  const aborted: Array<Error> = []
  const controller = {
    aborted: false,
    paused: false,
    reason: null,
    abort: (reason: Error) => void aborted.push(reason),
    pause: () => undefined,
    resume: () => undefined
  }
  const dispatcher = {
    dispatch: (_: unknown, given: Dispatcher.DispatchHandler) => {
      handler = given
      return true
    }
  } as unknown as Dispatcher
  return {
    aborted,
    dispatcher,
    start: () => handler?.onRequestStart?.(controller, {}),
    fail: (error: Error) => handler?.onResponseError?.(controller, error)
  }
}

const request = HttpClientRequest.post("http://provider.example/messages").pipe(
  HttpClientRequest.bodyJsonUnsafe({ to: "1" })
)

const lost = new AnswerUnread({ reason: "connection_lost" })

describe("direct calls", () => {
  it.effect("send method, path, query, headers and body, and return status, headers and text", () =>
    Effect.gen(function* () {
      const { call, server } = yield* calling(answering(201, "Grüße", ["x-app-usage: {}"]))
      const answer = yield* call(
        HttpClientRequest.post(`${server.url}/v1/messages`, { urlParams: { fields: "a b" } }).pipe(
          HttpClientRequest.setHeader("authorization", "Bearer token"),
          HttpClientRequest.bodyJsonUnsafe({ text: "Brötchen" })
        )
      )
      assert.deepStrictEqual([answer.status, answer.text, answer.headers["x-app-usage"]], [201, "Grüße", "{}"])
      const [sent = ""] = server.requests
      assert.match(sent, /^POST \/v1\/messages\?fields=a\+b HTTP\/1\.1\r\n/u)
      assert.match(sent, /authorization: Bearer token\r\n/iu)
      assert.match(sent, /content-type: application\/json\r\n/iu)
      assert.include(Buffer.from(sent, "latin1").toString("utf8"), '{"text":"Brötchen"}')
    }).pipe(Effect.scoped)
  )

  // A connection is free a turn of the event loop after its answer, so calls in a row use two.
  it.effect("reuse connections", () =>
    Effect.gen(function* () {
      const { call, server } = yield* calling(answering(200, "{}"))
      const get = HttpClientRequest.get(server.url)
      yield* Effect.replicateEffect(call(get), 6)
      assert.isAtMost(server.connections(), 2)
    }).pipe(Effect.scoped)
  )

  it.effect("refuse an answer above the limit, and accept one at the limit", () =>
    Effect.gen(function* () {
      let size = limit
      const { call, server } = yield* calling((socket, text) => answering(200, "x".repeat(size))(socket, text))
      assert.lengthOf((yield* call(HttpClientRequest.get(server.url))).text, limit)
      size += 1
      const error = yield* Effect.flip(call(HttpClientRequest.get(server.url)))
      assert.deepStrictEqual(error, new AnswerUnread({ reason: "unreadable_answer" }))
    }).pipe(Effect.scoped)
  )

  it.effect("are uncertain if the connection ends during the answer", () =>
    Effect.gen(function* () {
      const { call, server } = yield* calling((socket) => {
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf")
        socket.end()
      })
      assert.deepStrictEqual(yield* Effect.flip(call(HttpClientRequest.get(server.url))), lost)
    }).pipe(Effect.scoped)
  )

  it.effect("are not sent if they fail before a connection takes them", () =>
    Effect.gen(function* () {
      const held = holding()
      const fiber = yield* Effect.forkChild(Effect.flip(directCall(held.dispatcher, limit)(request)), {
        startImmediately: true
      })
      held.fail(new Error("closed"))
      assert.strictEqual(yield* Fiber.join(fiber), notSent)
    })
  )

  it.effect("are uncertain if they fail after a connection has taken them", () =>
    Effect.gen(function* () {
      const held = holding()
      const fiber = yield* Effect.forkChild(Effect.flip(directCall(held.dispatcher, limit)(request)), {
        startImmediately: true
      })
      held.start()
      held.fail(new Error("closed"))
      assert.deepStrictEqual(yield* Fiber.join(fiber), lost)
    })
  )

  it.effect("are not sent after their caller was interrupted", () =>
    Effect.gen(function* () {
      const held = holding()
      const fiber = yield* Effect.forkChild(directCall(held.dispatcher, limit)(request), { startImmediately: true })
      yield* Fiber.interrupt(fiber)
      assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(fiber)))
      held.start()
      assert.lengthOf(held.aborted, 1)
    })
  )

  it.effect("fail without an address", () =>
    Effect.gen(function* () {
      const call = directCall(holding().dispatcher, limit)
      assert.strictEqual(yield* Effect.flip(call(HttpClientRequest.get("no address"))), notSent)
    })
  )
})
