import { assert, describe, it } from "@effect/vitest"
import { CurrentActor } from "@parley/domain/kernel"
import {
  defineEventConsumer,
  eventTasks,
  makeForgetEventConsumer,
  layerEventConsumerRunner,
  layerEventConsumersOf,
  layerWorkersOf,
  listParkedEvents,
  makeListEventConsumers,
  replayParkedEvents,
  makeRewindEventConsumer,
  skipParkedEvent,
  EventConsumerName
} from "@parley/domain/platform"
import { createTag } from "@parley/domain/crm"
import { DomainEvent, forgetEventConsumer, type Ports } from "@parley/domain/composition"
import { asOperatorOf, givenOrganization, operator, TestKit } from "@parley/testkit"
import { Effect, Layer, type Scope } from "effect"
import { TestClock } from "effect/testing"

const test = <A, E>(name: string, body: () => Effect.Effect<A, E, Ports | Scope.Scope>) =>
  it.effect(name, () => Effect.provide(Effect.scoped(Effect.suspend(body)), TestKit.layer, { local: true }))

const everything = { consumer: null, organizationId: null }

/** A process whose event consumer cannot handle new tags until it is fixed. */
const givenBroken = Effect.fnUntraced(function* () {
  const handled: Array<number> = []
  let isBroken = true
  const consumer = defineEventConsumer({
    name: "test.counts_tags",
    schema: DomainEvent,
    events: ["tag.created"],
    beginsWith: "first_event",
    batch: 10,
    handle: Effect.fnUntraced(function* (events) {
      if (isBroken) return yield* Effect.die(new Error("It is broken."))
      handled.push(...events.map(({ position }) => position))
    })
  })
  const organization = yield* givenOrganization()
  const other = yield* givenOrganization()
  yield* createTag({ name: "One", color: "#336699" }).pipe(asOperatorOf(organization))
  const followed = Layer.provide(layerEventConsumerRunner, layerEventConsumersOf([consumer]))
  yield* Layer.build(Layer.provide(layerWorkersOf(eventTasks), followed))
  return {
    name: consumer.name,
    declared: [consumer],
    handled,
    organization,
    other,
    list: makeListEventConsumers([consumer])().pipe(Effect.provideService(CurrentActor, operator)),
    parked: listParkedEvents({ ...everything, limit: 10 }).pipe(Effect.provideService(CurrentActor, operator)),
    mend: () => {
      isBroken = false
    }
  }
})

const untilParked = TestClock.adjust("5 minutes")

describe("an operator", () => {
  test("sees failing and parked events with place and reason", () =>
    Effect.gen(function* () {
      const { list, name, organization, parked } = yield* givenBroken()
      yield* TestClock.adjust("5 seconds")
      const failing = yield* list
      assert.deepInclude(failing.consumers[0], { name, isDeclared: true, behind: 1, failing: 1, parked: 0 })
      assert.isNotNull(failing.consumers[0]?.waitingSince)
      const [event] = failing.failing
      assert.deepInclude(event, { consumer: name, organization: organization.slug, type: "tag.created" })
      assert.include(event?.reason, "It is broken.")
      assert.lengthOf(yield* parked, 0)

      yield* untilParked
      const after = yield* list
      assert.deepInclude(after.consumers[0], { behind: 0, waitingSince: null, failing: 0, parked: 1 })
      assert.lengthOf(after.failing, 0)
      const [found, ...others] = yield* parked
      assert.lengthOf(others, 0)
      assert.deepInclude(found, {
        consumer: name,
        organizationId: organization.id,
        organization: organization.slug,
        type: "tag.created",
        attempts: 8
      })
      assert.strictEqual(found?.position, event?.position)
      assert.include(found?.reason, "It is broken.")
    }))

  test("finds what is parked by event consumer and organization, so much at most", () =>
    Effect.gen(function* () {
      const { name, organization, other } = yield* givenBroken()
      yield* createTag({ name: "Two", color: "#336699" }).pipe(asOperatorOf(other))
      yield* untilParked
      const count = (filter: Omit<Parameters<typeof listParkedEvents>[0], "limit">, limit = 10) =>
        listParkedEvents({ ...filter, limit }).pipe(
          Effect.map((found) => found.length),
          Effect.provideService(CurrentActor, operator)
        )
      assert.strictEqual(yield* count({ consumer: name, organizationId: null }), 2)
      assert.strictEqual(yield* count({ consumer: name, organizationId: organization.id }), 1)
      assert.strictEqual(yield* count(everything, 1), 1)
      const unknown = yield* Effect.flip(
        count({ consumer: EventConsumerName.make("test.nobody"), organizationId: null })
      )
      assert.strictEqual(unknown._tag, "EventConsumerUnknown")
    }))

  test("processes parked events again after the cause is fixed", () =>
    Effect.gen(function* () {
      const { handled, mend, name, organization, other, parked } = yield* givenBroken()
      yield* untilParked
      mend()
      assert.strictEqual(yield* replayParkedEvents({ name }).pipe(asOperatorOf(other)), 0)
      assert.strictEqual(yield* replayParkedEvents({ name }).pipe(asOperatorOf(organization)), 1)
      yield* TestClock.adjust("1 second")
      assert.lengthOf(handled, 1)
      assert.lengthOf(yield* parked, 0)
    }))

  test("skips what is parked for good", () =>
    Effect.gen(function* () {
      const { handled, mend, name, organization, parked } = yield* givenBroken()
      yield* untilParked
      const [event] = yield* parked
      const skip = skipParkedEvent({ name, position: event?.position ?? 0 }).pipe(asOperatorOf(organization))
      yield* skip
      mend()
      yield* TestClock.adjust("1 minute")
      assert.lengthOf(handled, 0)
      assert.lengthOf(yield* parked, 0)
      assert.strictEqual((yield* Effect.flip(skip))._tag, "NotFound")
    }))

  test("sets an event consumer back, and never forward", () =>
    Effect.gen(function* () {
      const { declared, handled, mend, name, organization, parked } = yield* givenBroken()
      const rewind = (to: number) => makeRewindEventConsumer(declared)({ name, to }).pipe(asOperatorOf(organization))
      yield* untilParked
      mend()
      assert.deepInclude(yield* rewind(0), { position: 0, parked: 0, attempts: 0 })
      yield* TestClock.adjust("1 second")
      assert.lengthOf(handled, 1)
      assert.lengthOf(yield* parked, 0)
      assert.strictEqual((yield* Effect.flip(rewind(1_000)))._tag, "ValidationFailed")
    }))

  test("forgets an event consumer that is gone from the code, and no other", () =>
    Effect.gen(function* () {
      const { declared, list, name, parked } = yield* givenBroken()
      const asOperator = Effect.provideService(CurrentActor, operator)
      yield* untilParked
      assert.strictEqual(
        (yield* Effect.flip(asOperator(makeForgetEventConsumer(declared)({ name }))))._tag,
        "EventConsumerDeclared"
      )
      assert.lengthOf(yield* parked, 1)
      const gone = yield* asOperator(makeListEventConsumers([])())
      assert.deepInclude(gone.consumers[0], { name, isDeclared: false, parked: 1 })

      yield* asOperator(forgetEventConsumer({ name }))
      assert.lengthOf(yield* parked, 0)
      assert.deepInclude((yield* list).consumers[0], { name, since: null, parked: 0 })
      assert.strictEqual((yield* Effect.flip(asOperator(forgetEventConsumer({ name }))))._tag, "EventConsumerUnknown")
    }))
})
