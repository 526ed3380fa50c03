import { assert, describe, it } from "@effect/vitest"
import { BackgroundHealth, CurrentBackgroundHealth } from "@parley/domain/platform"
import { TestKit } from "@parley/testkit"
import { Cause, Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { createServer } from "node:net"
import { settings } from "../src/server/ServerConfig.ts"
import { Metrics, Server } from "../src/server/index.ts"
import { call } from "./harness/Http.ts"
import { assertStatus } from "./harness/answers.ts"
import { overHttp, roomySettings } from "./harness/service.ts"

const membership = { name: "membership", isEssential: true }

const failing = Effect.fnUntraced(function* (health: BackgroundHealth) {
  yield* health.failed(membership, Cause.die(new Error("permission denied for table worker_processes")))
  yield* TestClock.adjust("10 seconds")
})

const layerHealth = Layer.sync(CurrentBackgroundHealth, () => new BackgroundHealth())

overHttp("the readiness of an API", Layer.merge(TestKit.layer, layerHealth), (it) => {
  it.effect("reports the background work, and does not depend on it", () =>
    Effect.gen(function* () {
      const health = (yield* CurrentBackgroundHealth) ?? assert.fail()
      const background = Effect.map(call("GET", "/readyz"), (answer) => {
        assertStatus(answer, 200)
        return answer.body.background
      })
      assert.strictEqual(yield* background, "off")
      yield* health.start
      assert.strictEqual(yield* background, "ok")
      yield* failing(health)
      const answer = yield* call("GET", "/readyz")
      assert.deepStrictEqual(answer.body, { status: "ok", background: "failing" }, "the reason is for operators")
      yield* health.succeeded(membership)
      assert.strictEqual(yield* background, "ok")
    }).pipe(Effect.scoped)
  )
})

/** A currently free port. */
const freePort = Effect.callback<number>((resume) => {
  const probe = createServer().listen(0, "127.0.0.1", () => {
    const address = probe.address()
    probe.close(() => resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0)))
  })
})

const get = (url: string, token?: string) =>
  Effect.promise(async () => {
    const answer = await fetch(url, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } })
    return { status: answer.status, text: await answer.text() }
  })

describe("the port for operators", () => {
  it.effect("is not ready while a worker without an API fails, and reports the reason", () =>
    Effect.gen(function* () {
      const port = yield* freePort
      const health = new BackgroundHealth()
      yield* health.start
      yield* Layer.build(Metrics.layer({ host: "127.0.0.1", port })).pipe(
        Effect.provide(Layer.merge(TestKit.layer, Layer.succeed(CurrentBackgroundHealth, health)))
      )
      const ready = get(`http://127.0.0.1:${port}/readyz`)
      const startup = get(`http://127.0.0.1:${port}/startupz`)
      yield* failing(health)
      assert.strictEqual((yield* startup).status, 503)
      yield* health.succeeded(membership)
      assert.strictEqual((yield* startup).status, 200)
      assert.strictEqual((yield* ready).status, 200)
      yield* failing(health)
      const { status, text } = yield* ready
      assert.strictEqual(status, 503)
      assert.include(text, "membership: permission denied for table worker_processes")
      assert.strictEqual((yield* startup).status, 200, "it was ready before")
      assert.strictEqual((yield* get(`http://127.0.0.1:${port}/healthz`)).status, 200)
      yield* health.succeeded(membership)
      assert.strictEqual((yield* ready).status, 200)
    }).pipe(Effect.scoped)
  )

  it.effect("shows metrics to scrapers with the token only, and its health to every probe", () =>
    Effect.gen(function* () {
      const port = yield* freePort
      const token = "a token of the scraper"
      yield* Layer.build(Metrics.layer({ host: "127.0.0.1", port }, Redacted.make(token))).pipe(
        Effect.provide(TestKit.layer)
      )
      const url = `http://127.0.0.1:${port}`
      const statuses = yield* Effect.forEach([undefined, "", "another token", `${token} `, token], (given) =>
        Effect.map(get(`${url}/metrics`, given), ({ status }) => status)
      )
      // HTTP drops trailing space of a header.
      assert.deepStrictEqual(statuses, [401, 401, 401, 200, 200])
      assert.strictEqual((yield* get(`${url}/healthz`)).status, 200)
      assert.strictEqual((yield* get(`${url}/readyz`)).status, 200)
    }).pipe(Effect.scoped)
  )
})

describe("the metrics on the API port", () => {
  const served = Effect.fnUntraced(function* (differing: Parameters<typeof settings>[0]) {
    const port = yield* freePort
    yield* Layer.build(Server.layer(settings({ ...roomySettings, accessLog: false, port, ...differing }))).pipe(
      Effect.provide(TestKit.layer)
    )
    return `http://127.0.0.1:${port}/metrics`
  })

  it.effect("are served unless they have another address, and require the configured token", () =>
    Effect.gen(function* () {
      const token = "a token of the scraper"
      const open = yield* served({})
      const guarded = yield* served({ metricsToken: Redacted.make(token) })
      const none = yield* served({ metricsAt: "elsewhere" })
      const all = yield* Effect.all([get(open), get(guarded), get(guarded, token), get(none), get(none, token)])
      assert.deepStrictEqual(
        all.map(({ status }) => status),
        [200, 401, 200, 404, 404]
      )
    }).pipe(Effect.scoped)
  )
})
