import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { type IncomingMessage, request, type Server, type ServerResponse } from "node:http"
import { makeListener } from "../src/server/listener.ts"

const open = Effect.acquireRelease(
  Effect.callback<Server>((resume) => {
    const listener = makeListener()
    listener.listen(0, "127.0.0.1", () => resume(Effect.succeed(listener)))
  }),
  (listener) => Effect.callback<void>((resume) => void listener.close(() => resume(Effect.void)))
)

const ask = (listener: Server) => {
  const address = listener.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return Effect.callback<number>((resume) => {
    request({ port, host: "127.0.0.1", agent: false }, (answer) => {
      answer.resume()
      resume(Effect.succeed(answer.statusCode ?? 0))
    }).end()
  })
}

/** The next request that Node has read, for any handler. */
const arrival = Effect.callback<void>((resume) => {
  const noticed = () => setImmediate(() => resume(Effect.void))
  subscribe("http.server.request.start", noticed)
  return Effect.sync(() => unsubscribe("http.server.request.start", noticed))
})

const answerWith = (status: number) => (_: IncomingMessage, response: ServerResponse) => {
  response.writeHead(status, { connection: "close" }).end()
}

describe("a listener without a handler yet", () => {
  it.live("holds what comes in, and lets the first handler answer it", () =>
    Effect.gen(function* () {
      const listener = yield* open
      const arrived = yield* Effect.forkChild(arrival, { startImmediately: true })
      const early = yield* Effect.forkChild(ask(listener), { startImmediately: true })
      yield* Fiber.join(arrived)
      listener.on("request", answerWith(204))
      assert.strictEqual(yield* Fiber.join(early), 204)
      assert.strictEqual(yield* ask(listener), 204)
    }).pipe(Effect.scoped)
  )
})
