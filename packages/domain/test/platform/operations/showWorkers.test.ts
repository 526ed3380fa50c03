import { assert, it } from "@effect/vitest"
import { CurrentActor, transact } from "@parley/domain/kernel"
import {
  Lanes,
  defineLaneWorker,
  layerWorkersOf,
  makeGetWorkerStatus,
  EventConsumerName,
  EventCursors,
  type BackgroundTask
} from "@parley/domain/platform"
import { getWorkerStatus } from "@parley/domain/composition"
import { asOperatorOf, givenOrganization, TestKit } from "@parley/testkit"
import { DateTime, Effect, Exit, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"

const shown = Effect.provideService(getWorkerStatus(), CurrentActor, { kind: "operator", name: "olga" })

const parcels = defineLaneWorker({
  name: "parcels",
  concurrency: 1,
  run: () => Effect.never,
  nextDue: () => Effect.succeed(null)
})

const everything = { name: EventConsumerName.make("test.everything"), types: "all" } as const
const nothing = { name: EventConsumerName.make("test.nothing"), types: [] } as const

const letters: BackgroundTask<never> = { name: "letters", run: Effect.void, wake: {}, lanes: 1 }

it.effect("an operator sees who does what, how much waits, and since when", () =>
  Effect.gen(function* () {
    const { processes: before, tasks: idle } = yield* shown
    assert.deepStrictEqual(before, [])
    assert.deepStrictEqual(
      idle,
      ["sends", "deliveries", "jobs", "event_consumers"].map((name) => ({
        name,
        processes: 0,
        waiting: 0,
        since: null
      }))
    )

    const organization = yield* givenOrganization()
    const dueAt = yield* DateTime.now
    const open = Effect.flatMap(Lanes, (lanes) =>
      lanes.open({ task: "parcels", key: "one", priority: "person", dueAt })
    )
    yield* transact(open).pipe(asOperatorOf(organization))
    yield* TestClock.adjust("1 minute")
    const scope = yield* Scope.make()
    const joinedAt = yield* DateTime.now
    yield* Layer.buildWithScope(layerWorkersOf([parcels, letters], { name: "here:1" }), scope)
    yield* TestClock.adjust("10 seconds")

    const { processes, tasks } = yield* shown
    const [process] = processes
    assert.lengthOf(processes, 1)
    assert.deepInclude(process, { name: "here:1", tasks: ["parcels", "letters"], shards: { parcels: 128 }, joinedAt })
    assert.deepStrictEqual(
      tasks.filter(({ name }) => name === "parcels" || name === "letters"),
      [
        { name: "parcels", processes: 1, waiting: 1, since: dueAt },
        { name: "letters", processes: 1, waiting: null, since: null }
      ]
    )

    yield* Scope.close(scope, Exit.void)
    assert.deepStrictEqual((yield* shown).processes, [])
  }).pipe(Effect.scoped, Effect.provide(TestKit.layer, { local: true }))
)

it.effect("an operator sees how far each event consumer is behind, and since when", () =>
  Effect.gen(function* () {
    const list = Effect.provideService(makeGetWorkerStatus([everything, nothing])(), CurrentActor, {
      kind: "operator",
      name: "olga"
    })
    const begin = Effect.flatMap(EventCursors, (cursors) =>
      Effect.andThen(cursors.begin(everything.name, null), cursors.begin(nothing.name, null))
    )
    const since = yield* DateTime.now
    for (const plan of ["free", "growth"] as const) {
      yield* transact(begin).pipe(asOperatorOf(yield* givenOrganization({ plan })))
      yield* TestClock.adjust("1 minute")
    }
    const { consumers, tasks } = yield* list
    assert.deepStrictEqual(
      consumers.map(({ behind, name, waitingSince }) => [name, behind, waitingSince]),
      [
        [everything.name, 2, since],
        [nothing.name, 0, null]
      ]
    )
    assert.deepStrictEqual(tasks.at(-1), { name: "event_consumers", processes: 0, waiting: 2, since })
  }).pipe(Effect.provide(TestKit.layer, { local: true }))
)
