import { NodeHttpClient } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { layer as whatsApp } from "@parley/provider-adapters/chat/whatsapp"
import { MemoryChat } from "@parley/testkit"
import { Effect, Layer, Logger, Redacted, References, Tracer } from "effect"
import { inspect } from "node:util"
import { line } from "./simulated.ts"
import { answering, listening, nobody } from "./sockets.ts"

const code = Redacted.make("signup-code-canary")
const app = { appId: "300", appSecret: Redacted.make("app-secret-canary") }
const canaries = ["signup-code-canary", "app-secret-canary", "pin-canary", Redacted.value(line.accessToken)]

describe("The adapter", () => {
  it.live("shows no secret in errors, logs or spans, not even where the provider repeats it", () =>
    Effect.gen(function* () {
      const shown: Array<unknown> = []
      const tracer = Tracer.make({
        span: (options) => {
          const span = new Tracer.NativeSpan(options)
          shown.push(span)
          return span
        }
      })
      const server = yield* listening((socket, request) => {
        const message = `Malformed token EAAother12345678 in ${request}`
        answering(400, JSON.stringify({ error: { code: 190, message, error_data: {} } }))(socket, request)
      })
      for (const baseUrl of [server.url, yield* nobody]) {
        yield* Effect.gen(function* () {
          const channel = yield* MemoryChat.whole
          for (const call of [
            channel.signup.exchangeCode(code),
            channel.checking.check(line),
            channel.onboarding.register(line, Redacted.make("pin-canary")),
            channel.onboarding.subscribe(line, null)
          ]) {
            const error = yield* Effect.flip<unknown, unknown, never>(call)
            yield* Effect.logError("It failed", error)
            shown.push(error)
          }
          shown.push(channel)
        }).pipe(
          Effect.withSpan("work"),
          Effect.provide(whatsApp({ baseUrl, app }).pipe(Layer.provide(NodeHttpClient.layerUndici))),
          Effect.provideService(Tracer.Tracer, tracer),
          Effect.provideService(References.MinimumLogLevel, "All"),
          Effect.provide(Logger.layer([Logger.make((entry) => shown.push(entry.message))]))
        )
      }
      const text = inspect(shown, { depth: 12, showHidden: true }) + JSON.stringify(shown.map(String))
      assert.include(text, "[secret]")
      for (const canary of [...canaries, "EAAother12345678"]) assert.notInclude(text, canary)
      // They did go where they belong.
      assert.include(server.requests.join("\n"), "app-secret-canary")
    })
  )
})
