import { assert, it, layer } from "@effect/vitest"
import { CurrentOrganization, StorageUnavailable } from "@parley/domain/kernel"
import {
  layerWorkersOf,
  WorkersStart,
  type OrganizationIds,
  sweep,
  sweepOrganizations,
  type BackgroundTask
} from "@parley/domain/platform"
import { givenOrganization, TestKit } from "@parley/testkit"
import { DateTime, Effect, Exit, Latch, Layer, Ref, Scope } from "effect"
import { TestClock } from "effect/testing"

/** A work that counts how often it ran. */
const counting = Effect.fnUntraced(function* (differing: Partial<BackgroundTask<never>> = {}) {
  const runs = yield* Ref.make(0)
  const count = Ref.update(runs, (count) => count + 1)
  const { run = Effect.void } = differing
  const work: BackgroundTask<never> = {
    name: "counting",
    wake: {},
    lanes: 1,
    ...differing,
    run: Effect.andThen(count, run)
  }
  return { work, runs: Ref.get(runs) }
})

const begin = <R extends OrganizationIds = never>(...works: ReadonlyArray<BackgroundTask<R>>) =>
  Layer.build(layerWorkersOf(works))

it.effect("a task runs directly and polls about every second", () =>
  Effect.gen(function* () {
    const { runs, work } = yield* counting()
    yield* begin(work)
    yield* TestClock.adjust(0)
    assert.strictEqual(yield* runs, 1)
    yield* TestClock.adjust("1 minute")
    assert.isAtLeast(yield* runs, 50)
    assert.isAtMost(yield* runs, 76)
  })
)

it.effect("a postponed start runs no task before", () =>
  Effect.gen(function* () {
    const { runs, work } = yield* counting()
    const release = Latch.makeUnsafe()
    yield* begin(work).pipe(
      Effect.provideService(WorkersStart, (start) => Effect.forkScoped(Effect.andThen(release.await, start)))
    )
    yield* TestClock.adjust("1 minute")
    assert.strictEqual(yield* runs, 0)
    yield* release.open
    yield* TestClock.adjust(0)
    assert.strictEqual(yield* runs, 1)
  })
)

it.effect("a task runs again after a notification and at the next due time", () =>
  Effect.gen(function* () {
    const notification = Latch.makeUnsafe()
    const due = DateTime.add(yield* DateTime.now, { milliseconds: 300 })
    const woken = yield* counting({ wake: { notification: Effect.andThen(notification.await, notification.close) } })
    const putOff = yield* counting({ wake: { due: Effect.succeed(due) } })
    yield* begin(woken.work, putOff.work)
    yield* TestClock.adjust("100 millis")
    assert.deepStrictEqual([yield* woken.runs, yield* putOff.runs], [1, 1])
    yield* notification.open
    yield* TestClock.adjust("1 millis")
    assert.deepStrictEqual([yield* woken.runs, yield* putOff.runs], [2, 1])
    yield* TestClock.adjust("199 millis")
    assert.deepStrictEqual([yield* woken.runs, yield* putOff.runs], [2, 2])
  })
)

it.effect("a task continues after a failure, a defect and a storage outage", () =>
  Effect.gen(function* () {
    const away = new StorageUnavailable({ reason: "it is away", outcome: "not_made", isAway: true })
    for (const run of [Effect.fail("refused"), Effect.die("broken"), Effect.die(away)]) {
      const { runs, work } = yield* counting({ run })
      yield* begin(work)
      yield* TestClock.adjust("10 seconds")
      assert.isAtLeast(yield* runs, 4)
    }
  })
)

it.effect("work has as many lanes as it declares, and none where it is not needed", () =>
  Effect.gen(function* () {
    const wide = yield* counting({ lanes: 3, run: Effect.never })
    const needless = yield* counting({ isNeeded: Effect.succeed(false) })
    yield* begin(wide.work, needless.work)
    yield* TestClock.adjust("1 minute")
    assert.deepStrictEqual([yield* wide.runs, yield* needless.runs], [3, 0])
  })
)

it.effect("housekeeping begins after a minute, one after the other, and goes on after one has failed", () =>
  Effect.gen(function* () {
    const order = yield* Ref.make<ReadonlyArray<string>>([])
    const noting = (name: string) =>
      sweep(
        name,
        Ref.update(order, (before) => [...before, name])
      )
    yield* begin(
      noting("first"),
      sweep("broken", Effect.die("broken")),
      sweep("slow", Effect.sleep("1 second")),
      noting("last")
    )
    yield* TestClock.adjust("59 seconds")
    assert.deepStrictEqual(yield* Ref.get(order), [])
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual(yield* Ref.get(order), ["first"])
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual(yield* Ref.get(order), ["first", "last"])
    yield* TestClock.adjust("10 minutes")
    assert.deepStrictEqual(yield* Ref.get(order), ["first", "last", "first"])
  })
)

it.effect("work ends with its scope, after what may not be interrupted is done", () =>
  Effect.gen(function* () {
    const heardOut = Latch.makeUnsafe()
    const { runs, work } = yield* counting({
      run: Effect.uninterruptible(Effect.andThen(Effect.sleep("5 seconds"), heardOut.open))
    })
    const scope = yield* Scope.make()
    yield* Layer.buildWithScope(layerWorkersOf([work]), scope)
    yield* TestClock.adjust("1 second")
    const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void))
    yield* TestClock.adjust("5 seconds")
    yield* heardOut.await
    assert.isDefined(closing.pollUnsafe())
    yield* TestClock.adjust("1 minute")
    assert.strictEqual(yield* runs, 1)
  })
)

layer(TestKit.layer)("a sweep over organizations", (it) => {
  it.effect("is swept hourly or in each round, in all of them, also where one cannot be", () =>
    Effect.gen(function* () {
      const [ailing, sound] = [yield* givenOrganization(), yield* givenOrganization()]
      const swept = yield* Ref.make<ReadonlyArray<string>>([])
      const sweepOf = (name: string, wake?: "housekeeping") =>
        sweepOrganizations(
          name,
          Effect.gen(function* () {
            const { id } = yield* CurrentOrganization
            if (id === ailing.id) return yield* Effect.die("It ails.")
            return yield* Ref.update(swept, (before) => (id === sound.id ? [...before, name] : before))
          }),
          wake
        )
      yield* begin(sweepOf("hourly"), sweepOf("often", "housekeeping"))
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(yield* Ref.getAndSet(swept, []), ["hourly", "often"])
      yield* TestClock.adjust("50 minutes")
      assert.deepStrictEqual(
        yield* Ref.getAndSet(swept, []),
        Array.from({ length: 5 }, () => "often")
      )
      yield* TestClock.adjust("10 minutes")
      assert.deepStrictEqual(yield* Ref.get(swept), ["hourly", "often"])
    })
  )
})
