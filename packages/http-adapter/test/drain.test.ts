import { assert, it } from "@effect/vitest"
import { TestKit } from "@parley/testkit"
import { Context, Effect, Exit, Fiber, Layer, Schedule, Scope } from "effect"
import { HttpServer } from "effect/http"
import { TestClock } from "effect/testing"
import { settings } from "../src/server/ServerConfig.ts"
import { Server } from "../src/server/index.ts"
import { roomySettings } from "./harness/service.ts"

const drainMillis = 60_000

const get = (url: string) => Effect.promise(() => fetch(url))

/** A fiber can have more work than a test sees, so the test's clock pauses until the condition holds. */
const until = <E>(condition: Effect.Effect<boolean, E>) =>
  Effect.repeat(condition, { while: (holds) => !holds, schedule: Schedule.forever })

it.effect("goes on serving while those in front of it notice that it is about to stop", () =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const layer = Server.layer(settings({ ...roomySettings, accessLog: false, port: 0, drainMillis }))
    const context = yield* Layer.buildWithScope(Layer.provide(layer, TestKit.layer), scope)
    const { address } = Context.get(context, HttpServer.HttpServer)
    const url = `http://127.0.0.1:${"port" in address ? address.port : 0}`
    const before = yield* get(`${url}/readyz`)
    assert.deepStrictEqual([before.status, before.headers.get("connection")], [200, "keep-alive"])
    const stopping = yield* Effect.forkChild(Scope.close(scope, Exit.void))
    yield* until(Effect.map(get(`${url}/readyz`), ({ status }) => status === 503))
    const [ready, live] = [yield* get(`${url}/readyz`), yield* get(`${url}/healthz`)]
    assert.strictEqual((yield* get(`${url}/startupz`)).status, 200)
    assert.deepStrictEqual([ready.status, ready.headers.get("retry-after")], [503, "2"])
    assert.deepStrictEqual([live.status, live.headers.get("connection")], [200, "close"])
    yield* TestClock.adjust(drainMillis)
    yield* Fiber.join(stopping)
    const closed = yield* Effect.exit(Effect.tryPromise(() => fetch(`${url}/healthz`)))
    assert.isTrue(Exit.isFailure(closed))
  })
)
