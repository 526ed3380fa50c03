import { assert, describe, it, layer } from "@effect/vitest"
import { StorageUnavailable } from "@parley/domain/kernel"
import {
  BackgroundHealth,
  CurrentBackgroundHealth,
  layerWorkersOf,
  defineLaneWorker,
  Shards,
  supervise,
  sweep
} from "@parley/domain/platform"
import { TestKit } from "@parley/testkit"
import { Cause, Effect, Exit, Layer, Logger, Ref, Scope } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { TestClock } from "effect/testing"

const away = (reason: string) => new StorageUnavailable({ reason, outcome: "not_made", isAway: true })

/** Collects the log. */
const makeLog = () => {
  const lines: Array<string> = []
  const logger = Logger.make(({ message }) => {
    lines.push(Array.isArray(message) ? String(message[0]) : String(message))
  })
  return { lines, layer: Logger.layer([logger]) }
}

/** Advances the clock in steps, because each fiber needs a turn. */
const pass = Effect.fnUntraced(function* (seconds: number) {
  for (let step = 0; step < seconds * 10; step += 1) yield* TestClock.adjust("100 millis")
})

/** A process of this work. Its join fails while a reason exists. */
const givenProcess = Effect.fnUntraced(function* () {
  const health = new BackgroundHealth()
  const { layer, lines } = makeLog()
  const shards = yield* Shards
  const joins = yield* Ref.make(0)
  const runs = yield* Ref.make(0)
  const failure: { current: unknown } = { current: null }
  const work = defineLaneWorker({
    name: "letters",
    concurrency: 1,
    run: () => Ref.update(runs, (count) => count + 1),
    nextDue: () => Effect.succeed(null)
  })
  const ailing = Shards.of({
    ...shards,
    join: (node) =>
      Effect.andThen(
        Ref.update(joins, (count) => count + 1),
        Effect.suspend(() => (failure.current === null ? shards.join(node) : Effect.die(failure.current)))
      )
  })
  const scope = yield* Scope.make()
  const start = Layer.buildWithScope(layerWorkersOf([work]), scope).pipe(
    Effect.provideService(Shards, ailing),
    Effect.provideService(CurrentBackgroundHealth, health),
    Effect.provide(layer)
  )
  return { failure, health, joins: Ref.get(joins), lines, start, stop: Scope.close(scope, Exit.void) }
})

describe("a process that cannot join the background work", () => {
  layer(TestKit.layer)((it) => {
    it.effect("retries with back-off, logs each cause once, and reports the failure after 10 seconds", () =>
      Effect.gen(function* () {
        const { failure, health, joins, lines, start, stop } = yield* givenProcess()
        assert.deepStrictEqual(yield* health.status, { state: "off" })
        failure.current = new Error("permission denied for table worker_processes")
        yield* start
        yield* pass(9)
        assert.deepStrictEqual(yield* health.status, { state: "ok" })
        assert.deepStrictEqual(
          lines.filter((line) => line.includes("membership")),
          ["The background work fails and is retried: membership: permission denied for table worker_processes"]
        )
        yield* pass(3)
        assert.deepStrictEqual(yield* health.status, {
          state: "failing",
          part: "membership",
          reason: "permission denied for table worker_processes"
        })
        yield* pass(28)
        // After 0.5, 1, 2 and 4 seconds, then every 5 seconds.
        assert.isAtLeast(yield* joins, 9)
        assert.isAtMost(yield* joins, 13)
        failure.current = new Error("canceling statement due to lock timeout")
        yield* pass(10)
        assert.strictEqual(lines.filter((line) => line.includes("membership")).length, 2)
        failure.current = null
        yield* pass(7)
        assert.deepStrictEqual(yield* health.status, { state: "ok" })
        assert.strictEqual(lines.at(-1), "The background work runs again: membership")
        yield* stop
        assert.deepStrictEqual(yield* health.status, { state: "off" })
      })
    )

    it.effect("logs a lasting outage, even when no connection reports it", () =>
      Effect.gen(function* () {
        const { failure, health, lines, start, stop } = yield* givenProcess()
        failure.current = away("remaining connection slots are reserved")
        yield* start
        yield* pass(9)
        assert.deepStrictEqual(lines, [])
        yield* pass(4)
        assert.deepStrictEqual(lines, [
          "The background work fails and is retried: membership: remaining connection slots are reserved"
        ])
        assert.strictEqual((yield* health.status).state, "failing")
        yield* stop
      })
    )
  })
})

describe("a part of the background work", () => {
  const part = { name: "part of the test", isEssential: true }

  it.effect("repeats its step after a success, a failure, a defect or an interruption", () =>
    Effect.gen(function* () {
      const health = new BackgroundHealth()
      const steps = yield* Ref.make(0)
      const ends = [Effect.void, Effect.fail("refused"), Effect.die(new Error("broken")), Effect.interrupt]
      const step = Effect.flatMap(
        Ref.getAndUpdate(steps, (count) => count + 1),
        (count) => Effect.andThen(Effect.sleep("1 second"), ends[count % ends.length] ?? Effect.void)
      )
      yield* Effect.forkScoped(supervise(health, part, step))
      yield* pass(60)
      assert.isAtLeast(yield* Ref.get(steps), 20)
    }).pipe(Effect.scoped, Effect.provide(makeLog().layer))
  )

  it.effect("reports its failure and its recovery in the metrics", () =>
    Effect.gen(function* () {
      const health = new BackgroundHealth()
      yield* health.start
      const shown = Effect.map(PrometheusMetrics.format(), (text) =>
        text.split("\n").filter((line) => /^parley_background_(?:up|failing)/u.test(line))
      )
      yield* health.failed(part, Cause.die("broken"))
      yield* TestClock.adjust("10 seconds")
      yield* health.failed(part, Cause.die("broken"))
      const failing = yield* shown
      yield* health.succeeded(part)
      const works = yield* shown
      const of = (name: string, value: number) => (line: string) => line.startsWith(name) && line.endsWith(` ${value}`)
      assert.isTrue(failing.some(of("parley_background_up", 0)), failing.join())
      assert.isTrue(failing.some((line) => line.includes(part.name) && line.endsWith(" 1")))
      assert.isTrue(works.some(of("parley_background_up", 1)), works.join())
      assert.isTrue(works.some((line) => line.includes(part.name) && line.endsWith(" 0")))
    }).pipe(Effect.scoped, Effect.provide(makeLog().layer))
  )

  it.effect("does not fail the process when it is a sweep, and is logged once", () =>
    Effect.gen(function* () {
      const health = new BackgroundHealth()
      const { layer, lines } = makeLog()
      yield* Layer.build(layerWorkersOf([sweep("crumbs", Effect.die(new Error("no broom")))])).pipe(
        Effect.provideService(CurrentBackgroundHealth, health),
        Effect.provide(layer)
      )
      yield* TestClock.adjust("1 minute")
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(yield* health.status, { state: "ok" })
      assert.deepStrictEqual(lines, ["The background work fails and is retried: sweep of crumbs: no broom"])
    }).pipe(Effect.scoped)
  )

  it.effect("does not fill the log when it alternates between failure and success", () =>
    Effect.gen(function* () {
      const health = new BackgroundHealth()
      const { layer, lines } = makeLog()
      yield* Effect.gen(function* () {
        for (let turn = 0; turn < 100; turn += 1) {
          yield* health.failed(part, Cause.die(new Error("now and then")))
          yield* health.succeeded(part)
          yield* TestClock.adjust("1 second")
        }
      }).pipe(Effect.provide(layer))
      assert.strictEqual(lines.filter((line) => line.includes("now and then")).length, 2)
    })
  )
})
