import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { request } from "node:http"
import { commandLine } from "./support/commandLine.ts"
import { OnServer } from "./support/database.ts"
import { freePort, startParley } from "./support/process.ts"

const inTime = 30_000

interface SlowCall {
  readonly finish: Effect.Effect<number>
}

/** A call with a partly read request: its body has not arrived yet. */
const beginCall = (port: number) =>
  Effect.callback<SlowCall>((resume) => {
    const body = JSON.stringify({ email: "nobody@serve.example", password: "whatever" })
    const call = request({
      port,
      host: "127.0.0.1",
      path: "/api/v1/auth/login",
      method: "POST",
      agent: false,
      headers: { "content-type": "application/json", "content-length": body.length, expect: "100-continue" }
    })
    call.once("continue", () =>
      resume(
        Effect.succeed({
          finish: Effect.callback<number>((resume) => {
            call.once("response", (answer) => {
              answer.resume()
              resume(Effect.succeed(answer.statusCode ?? 0))
            })
            call.end(body)
          })
        })
      )
    )
    call.flushHeaders()
  })

describe("a running service", () => {
  layer(OnServer.layer, { excludeTestServices: true })((it) => {
    it.effect(
      "finishes running calls on shutdown, and commands can run during that time",
      () =>
        Effect.gen(function* () {
          const environment = yield* OnServer
          const port = yield* freePort
          const service = yield* startParley(
            { ...environment, PARLEY_LOG_FORMAT: "json" },
            "serve",
            "--port",
            String(port)
          )
          yield* service.says(/Parley listens on/)
          assert.strictEqual((yield* commandLine(environment).parley("orgs", "list")).code, 0)

          const call = yield* beginCall(port)
          yield* service.signal("SIGTERM")
          yield* service.says(/Stopping/)
          assert.strictEqual(yield* call.finish, 401)
          const { code, err } = yield* service.ended
          assert.strictEqual(code, 0)
          assert.include(err, "Parley has stopped.")
        }),
      inTime
    )

    it.effect(
      "logs its start, each call and its stop as lines of JSON",
      () =>
        Effect.gen(function* () {
          const environment = yield* OnServer
          const port = yield* freePort
          const service = yield* startParley(
            { ...environment, PARLEY_LOG_FORMAT: "json" },
            "serve",
            "--port",
            String(port)
          )
          yield* service.says(/Parley listens on/)
          const call = yield* beginCall(port)
          yield* call.finish
          const [line] = yield* service.says(/^\{.*"path":"\/api\/v1\/auth\/login".*\}$/m)
          assert.deepInclude(JSON.parse(line), { level: "INFO", message: "request" })
          yield* service.signal("SIGTERM")
          const { err } = yield* service.ended
          const entries = err
            .trim()
            .split("\n")
            .map((entry): { readonly message: unknown } => JSON.parse(entry))
          const messages = entries.map(({ message }) => message)
          assert.strictEqual(messages[0], `Parley listens on http://127.0.0.1:${port}`)
          assert.strictEqual(messages.at(-1), "Parley has stopped.")
        }),
      inTime
    )
  })
})
