import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { openChannel } from "../../src/processes/Channel.ts"
import { posts } from "../../src/processes/Post.ts"
import { type Place, watching } from "../../src/processes/Supervision.ts"
import { wires } from "./wires.ts"

it.effect("Processes are listed with the metrics of those answering in time, without a wait for a starting one", () =>
  Effect.gen(function* () {
    const asked: Array<string> = []
    const place = (index: number, isReady: boolean, metrics: (name: string) => Effect.Effect<string>) =>
      Effect.gen(function* () {
        const [post = assert.fail()] = posts("api", 4).slice(index)
        const [here, there] = wires()
        const tell = Effect.suspend(() => {
          asked.push(post.name)
          return metrics(post.name)
        })
        const asking = yield* openChannel(there, tell, "3 seconds")
        const channelTo = (supervisor: Effect.Effect<string>) => openChannel(here, supervisor, "1 second")
        return { post, isReady, asking, channelTo }
      })
    const quick = yield* place(0, true, () => Effect.succeed("parley_jobs 1\n"))
    const slowIsAsked = yield* Deferred.make<void>()
    const slow = yield* place(1, true, () => Effect.andThen(Deferred.succeed(slowIsAsked, undefined), Effect.never))
    const booting = yield* place(2, false, () => Effect.never)
    const places: Array<Place> = []
    const { metrics } = watching(places)
    for (const { channelTo, isReady, post } of [quick, slow, booting]) {
      places.push({ post, isReady, channel: yield* channelTo(metrics), restarts: 0 })
    }

    const shown = yield* Effect.forkChild(quick.asking.metrics)
    yield* Deferred.await(slowIsAsked)
    yield* TestClock.adjust("1 second")
    const text = yield* Effect.flatMap(Fiber.join(shown), Effect.fromOption)
    assert.include(text, 'parley_jobs{process="api-1"} 1\n')
    assert.include(text, 'parley_process_up{process="api-2"} 1\n')
    assert.include(text, 'parley_process_up{process="api-3"} 0\n')
    assert.deepStrictEqual(asked, ["api-1", "api-2"])
  })
)

it.effect("Workers alone are not ready while their background work fails; a service with an API is", () =>
  Effect.gen(function* () {
    const place = (role: "api" | "worker") =>
      Effect.gen(function* () {
        const [post = assert.fail()] = posts(role, 1)
        const [here, there] = wires()
        const process = yield* openChannel(there, Effect.succeed(""), "1 second")
        const channel = yield* openChannel(here, Effect.succeed(""), "1 second")
        return { process, place: { post, isReady: true, channel, restarts: 0 } satisfies Place }
      })
    const [api, worker] = [yield* place("api"), yield* place("worker")]
    const [workers, both] = [watching([worker.place]), watching([api.place, worker.place])]
    const ready = Effect.all([workers.isReady, both.isReady, both.failing])
    assert.deepStrictEqual(yield* ready, [true, true, null])
    yield* worker.process.tellBackground("membership: permission denied")
    yield* Effect.repeat(both.failing, { until: (reason) => reason !== null })
    assert.deepStrictEqual(yield* ready, [false, true, "membership: permission denied"])
    yield* worker.process.tellBackground(null)
    yield* Effect.repeat(both.failing, { until: (reason) => reason === null })
    assert.deepStrictEqual(yield* ready, [true, true, null])
  })
)
