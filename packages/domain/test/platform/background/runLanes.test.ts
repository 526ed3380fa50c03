import { assert, describe, layer } from "@effect/vitest"
import { CurrentActor, CurrentOrganization, OrganizationId, transact } from "@parley/domain/kernel"
import {
  type LaneLease,
  LaneQueue,
  Lanes,
  defineLaneWorker,
  runLanes,
  Shards,
  runDueLanes
} from "@parley/domain/platform"
import { TestKit } from "@parley/testkit"
import { DateTime, Deferred, Effect, Exit, Fiber, Layer, Ref, Scope } from "effect"
import { TestClock } from "effect/testing"

const organizationId = OrganizationId.make("00000000-0000-4000-8000-000000000001")

const inside = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(
    Effect.provideService(CurrentOrganization, { id: organizationId }),
    Effect.provideService(CurrentActor, { kind: "operator", name: "test" })
  )

const open = (task: string, key: string, seconds = 0) =>
  Effect.gen(function* () {
    const dueAt = DateTime.add(yield* DateTime.now, { seconds })
    yield* (yield* Lanes).open({ task, key, priority: "person", dueAt })
  }).pipe(transact, inside)

/** Waiting lanes and completed work. */
const given = Effect.fnUntraced(function* (
  name: string,
  happens: (lease: LaneLease) => Effect.Effect<void, unknown, LaneQueue> = () => Effect.void
) {
  const waiting = yield* Ref.make<ReadonlyArray<string>>([])
  const worked = yield* Ref.make<ReadonlyArray<string>>([])
  const task = defineLaneWorker({
    name,
    concurrency: 4,
    run: Effect.fnUntraced(function* (lease) {
      yield* happens(lease)
      yield* Ref.update(waiting, (keys) => keys.filter((key) => key !== lease.key))
      yield* Ref.update(worked, (keys) => [...keys, lease.key])
    }),
    nextDue: ({ key }) =>
      Effect.flatMap(DateTime.now, (now) => Effect.map(Ref.get(waiting), (keys) => (keys.includes(key) ? now : null)))
  })
  const put = (key: string, seconds = 0) =>
    Effect.andThen(
      Ref.update(waiting, (keys) => [...keys, key]),
      open(name, key, seconds)
    )
  return { task, put, worked: Ref.get(worked), waiting: Ref.get(waiting) }
})

/** A process that works until it is stopped. */
const start = Effect.fnUntraced(function* <R>(
  name: string,
  ...tasks: ReadonlyArray<Parameters<typeof runLanes<R>>[0][number]>
) {
  const scope = yield* Scope.make()
  yield* Scope.provide(runLanes(tasks, { name, lookMillis: 1_000 }), scope)
  return { stop: Scope.close(scope, Exit.void) }
})

/** Advances time by some seconds, in steps that let all fibers continue. */
const pass = Effect.fnUntraced(function* (seconds: number) {
  for (let step = 0; step < seconds * 20; step += 1) yield* TestClock.adjust("50 millis")
})

/** The storage as a process sees it that is cut off from it, once it is. */
const cutOff = <Service extends object>(service: Service, isCutOff: () => boolean): Service => {
  const guarded = (answer: unknown) =>
    Effect.isEffect(answer)
      ? Effect.suspend(() =>
          isCutOff() ? Effect.die(new Error("It is cut off.")) : (answer as Effect.Effect<unknown>)
        )
      : answer
  return new Proxy(service, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name)
      return typeof value === "function" ? (...args: ReadonlyArray<unknown>) => guarded(value(...args)) : guarded(value)
    }
  })
}

layer(Layer.fresh(TestKit.layer))("a process that works at lanes", (it) => {
  describe("runLanes", () => {
    it.effect("processes a new lane directly, or at its due time", () =>
      Effect.gen(function* () {
        const { put, task, worked } = yield* given("at once")
        const node = yield* start("one", task)
        yield* pass(1)
        yield* put("now")
        yield* put("later", 30)
        yield* pass(0.2)
        assert.deepStrictEqual(yield* worked, ["now"])
        yield* pass(29)
        assert.deepStrictEqual(yield* worked, ["now"])
        yield* pass(2)
        assert.deepStrictEqual(yield* worked, ["now", "later"])
        yield* node.stop
      })
    )

    it.effect("tries again what failed, later and later", () =>
      Effect.gen(function* () {
        let tries = 0
        const { put, task, worked } = yield* given("failing", () =>
          Effect.suspend(() => (++tries < 4 ? Effect.die(new Error("no")) : Effect.void))
        )
        const node = yield* start("one", task)
        yield* put("lane")
        yield* pass(2)
        assert.strictEqual(tries, 2)
        yield* pass(12)
        assert.deepStrictEqual([tries, yield* worked], [4, ["lane"]])
        yield* node.stop
      })
    )

    it.effect("shares lanes with new workers and takes over from stopped ones directly", () =>
      Effect.gen(function* () {
        const { put, task, worked } = yield* given("sharing")
        const shards = yield* Shards
        const one = yield* start("one", task)
        yield* pass(1)
        const two = yield* start("two", task)
        yield* pass(3)
        const observer = "00000000-0000-7000-8000-000000000009"
        yield* shards.join({ id: observer, name: "observer", tasks: [], now: yield* DateTime.now })
        assert.deepStrictEqual(yield* shards.claim(observer, "sharing", 128), [], "all shards are somebody's")
        yield* one.stop
        yield* pass(0.5)
        for (let key = 0; key < 20; key += 1) yield* put(`${key}`)
        yield* pass(1)
        assert.strictEqual((yield* worked).length, 20)
        yield* two.stop
        assert.strictEqual((yield* shards.claim(observer, "sharing", 128)).length, 128)
        yield* shards.leave(observer)
      })
    )

    it.effect("takes over within ten seconds from a disconnected worker, which has stopped before", () =>
      Effect.gen(function* () {
        let isCutOff = false
        let owner = "nobody"
        const begun = yield* Deferred.make<void>()
        const stopped = yield* Ref.make<ReadonlyArray<string>>([])
        const { put, task, worked } = yield* given("takeover", (lease) =>
          owner === "second"
            ? Effect.void
            : Effect.andThen(Deferred.succeed(begun, undefined), Effect.never).pipe(
                Effect.onInterrupt(() => Ref.update(stopped, (keys) => [...keys, lease.key]))
              )
        )
        const former = yield* start("first", task).pipe(
          Effect.provideService(
            Shards,
            cutOff(yield* Shards, () => isCutOff)
          ),
          Effect.provideService(
            LaneQueue,
            cutOff(yield* LaneQueue, () => isCutOff)
          )
        )
        yield* put("lane")
        yield* pass(1)
        yield* Deferred.await(begun)
        const next = yield* start("second", task)
        yield* pass(3)
        isCutOff = true
        owner = "second"
        yield* pass(5)
        assert.deepStrictEqual(yield* Ref.get(stopped), ["lane"], "it stops by its own clock")
        yield* pass(5)
        assert.deepStrictEqual(yield* worked, ["lane"])
        isCutOff = false
        yield* pass(3)
        yield* put("another")
        yield* pass(2)
        assert.deepStrictEqual(yield* worked, ["lane", "another"])
        yield* former.stop
        yield* next.stop
      })
    )

    it.effect("keeps its lanes and detects dead nodes in time when every other heartbeat is lost", () =>
      Effect.gen(function* () {
        let renewals = 0
        const interrupted = yield* Ref.make(0)
        const { put, task } = yield* given("lost heartbeats", () =>
          Effect.onInterrupt(Effect.never, () => Ref.update(interrupted, (count) => count + 1))
        )
        const shards = yield* Shards
        const losing = Shards.of({
          ...shards,
          renew: (id, now) =>
            Effect.suspend(() => {
              renewals += 1
              return renewals % 2 === 0 ? Effect.die(new Error("Connection closed")) : shards.renew(id, now)
            })
        })
        const node = yield* Effect.provideService(start("one", task), Shards, losing)
        yield* put("lane")
        yield* pass(30)
        assert.strictEqual(yield* Ref.get(interrupted), 0)
        const silent = "00000000-0000-7000-8000-000000000008"
        yield* shards.join({ id: silent, name: "silent", tasks: [], now: yield* DateTime.now })
        yield* pass(9.5)
        assert.isFalse(yield* shards.expire(silent, 0), "it was declared dead before")
        yield* node.stop
      })
    )

    it.effect("hears out what must not be cut off before its shard goes to another", () =>
      Effect.gen(function* () {
        const mayEnd = yield* Deferred.make<void>()
        let running = 0
        let most = 0
        const { put, task, worked } = yield* given("hearing out", () =>
          Effect.uninterruptible(
            Effect.acquireUseRelease(
              Effect.sync(() => {
                running += 1
                most = Math.max(most, running)
              }),
              () => Deferred.await(mayEnd),
              () => Effect.sync(() => void (running -= 1))
            )
          )
        )
        const one = yield* start("one", task)
        yield* put("lane")
        yield* pass(1)
        const two = yield* start("two", task)
        const stopping = yield* Effect.forkChild(one.stop)
        yield* pass(20)
        assert.deepStrictEqual([most, yield* worked], [1, []])
        yield* Deferred.succeed(mayEnd, undefined)
        yield* Fiber.join(stopping)
        yield* pass(2)
        yield* two.stop
        assert.strictEqual(most, 1)
        assert.isAtLeast((yield* worked).length, 1)
      })
    )
  })

  describe("workDue", () => {
    it.effect("processes all due lanes and keeps no lane", () =>
      Effect.gen(function* () {
        const { put, waiting, task, worked } = yield* given("visit")
        for (let key = 0; key < 50; key += 1) yield* put(`${key}`)
        yield* put("later", 60)
        yield* Effect.replicateEffect(runDueLanes(task), 3, { concurrency: "unbounded" })
        assert.strictEqual((yield* worked).length, 50)
        assert.deepStrictEqual(yield* waiting, ["later"])
        yield* TestClock.adjust("1 minute")
        yield* runDueLanes(task)
        assert.deepStrictEqual(yield* waiting, [])
      })
    )
  })
})
