import { assert, it } from "@effect/vitest"
import { type Actor, AutomationTokenId, transact, UserId } from "@parley/domain/kernel"
import {
  defineJob,
  getJob,
  type Job,
  jobTasks,
  layerJobKindsOf,
  layerWorkersOf,
  type Organization,
  startJob
} from "@parley/domain/platform"
import { actingIn, asOperatorOf, givenOrganization, TestKit } from "@parley/testkit"
import { Deferred, Effect, Exit, Layer, Schema, Scope } from "effect"
import { TestClock } from "effect/testing"

const waiting = (name: string, before: Effect.Effect<unknown>) =>
  defineJob({
    name,
    needs: null,
    input: Schema.Null,
    checkpoint: Schema.Null,
    step: () => Effect.as(before, { checkpoint: null, done: true, progress: { done: 1, total: 1 }, counts: {} })
  })

const node = (...kinds: ReadonlyArray<ReturnType<typeof waiting>>) =>
  layerWorkersOf(jobTasks).pipe(Layer.provide(layerJobKindsOf(kinds)))

const operator: Actor = { kind: "operator", name: "test" }

const program: Actor = {
  kind: "token",
  tokenId: AutomationTokenId.make("019dfc1d-9023-70ef-8152-d1ccaf1742e9"),
  responsibleUserId: UserId.make("019dfc1d-9023-70ef-8152-d1ccaf1742ea"),
  permissions: new Set()
}

const givenIn = Effect.fnUntraced(function* (
  organization: Organization,
  kind: ReturnType<typeof waiting>,
  actor: Actor = operator
) {
  const job = yield* transact(startJob(kind, null)).pipe(actingIn(organization, actor))
  return { state: Effect.map(getJob({ id: job.id }).pipe(asOperatorOf(organization)), (now: Job) => now.state) }
})

const given = (kind: ReturnType<typeof waiting>) =>
  Effect.flatMap(givenOrganization(), (organization) => givenIn(organization, kind))

it.effect("a worker runs waiting and later jobs within two seconds", () =>
  Effect.gen(function* () {
    const kind = waiting("test.quick", Effect.void)
    yield* Layer.build(node(kind))
    yield* TestClock.adjust("1 minute")
    const { state } = yield* given(kind)
    yield* TestClock.adjust("2 seconds")
    assert.strictEqual(yield* state, "succeeded")
  }).pipe(Effect.scoped, Effect.provide(TestKit.layer, { local: true }))
)

it.effect("a long job does not keep others waiting", () =>
  Effect.gen(function* () {
    const [long, quick] = [waiting("test.long", Effect.sleep("1 hour")), waiting("test.quick", Effect.void)]
    yield* Layer.build(node(long, quick))
    const slow = yield* given(long)
    yield* TestClock.adjust("10 seconds")
    const { state } = yield* given(quick)
    yield* TestClock.adjust("2 seconds")
    assert.deepStrictEqual([yield* slow.state, yield* state], ["running", "succeeded"])
  }).pipe(Effect.scoped, Effect.provide(TestKit.layer, { local: true }))
)

it.effect("a stopped worker passes its job to another directly", () =>
  Effect.gen(function* () {
    const begun = yield* Deferred.make<void>()
    const stuck = waiting("test.handed_over", Effect.andThen(Deferred.succeed(begun, undefined), Effect.never))
    const { state } = yield* given(stuck)
    const scope = yield* Scope.make()
    yield* Layer.buildWithScope(node(stuck), scope)
    yield* Deferred.await(begun)
    assert.strictEqual(yield* state, "running")
    yield* Scope.close(scope, Exit.void)
    assert.strictEqual(yield* state, "queued")
    yield* Layer.build(node(waiting("test.handed_over", Effect.void)))
    yield* TestClock.adjust("2 seconds")
    assert.strictEqual(yield* state, "succeeded")
  }).pipe(Effect.scoped, Effect.provide(TestKit.layer, { local: true }))
)

it.effect("an organization without running jobs comes first", () =>
  Effect.gen(function* () {
    const long = waiting("test.long", Effect.sleep("1 hour"))
    const [busy, idle] = [yield* givenOrganization(), yield* givenOrganization()]
    const first = [yield* givenIn(busy, long), yield* givenIn(busy, long), yield* givenIn(busy, long)]
    yield* TestClock.adjust("1 second")
    const later = yield* givenIn(idle, long)
    yield* Layer.build(node(long))
    yield* TestClock.adjust("10 seconds")
    assert.deepStrictEqual(yield* Effect.forEach(first, ({ state }) => state), ["running", "queued", "queued"])
    assert.strictEqual(yield* later.state, "running")
  }).pipe(Effect.scoped, Effect.provide(TestKit.layer, { local: true }))
)

it.effect("what a person asked for comes before what programs asked for earlier", () =>
  Effect.gen(function* () {
    const long = waiting("test.long", Effect.sleep("1 hour"))
    const organization = yield* givenOrganization()
    const bulk = yield* Effect.replicateEffect(givenIn(organization, long, program), 3)
    yield* TestClock.adjust("1 second")
    const persons = yield* Effect.replicateEffect(givenIn(organization, long), 2)
    yield* Layer.build(node(long))
    yield* TestClock.adjust("10 seconds")
    assert.deepStrictEqual(yield* Effect.forEach(bulk, ({ state }) => state), ["queued", "queued", "queued"])
    assert.deepStrictEqual(yield* Effect.forEach(persons, ({ state }) => state), ["running", "running"])
  }).pipe(Effect.scoped, Effect.provide(TestKit.layer, { local: true }))
)
