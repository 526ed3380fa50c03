import { assert, describe, it } from "@effect/vitest"
import {
  defineEventConsumer,
  eventTasks,
  layerEventConsumerRunner,
  layerEventConsumersOf,
  layerWorkersOf,
  type LoggedEvent,
  type Organization,
  EventConsumerDirectory,
  type EventConsumers,
  EventConsumerName,
  EventCursors
} from "@parley/domain/platform"
import { createContact, createTag, deleteTag, eraseContact, mergeContacts, type TagId, Tags } from "@parley/domain/crm"
import { DomainEvent, layerEventConsumers, type Ports } from "@parley/domain/composition"
import { asOperatorOf, givenOrganization, TestKit } from "@parley/testkit"
import { Effect, Exit, Layer, Metric, Scope } from "effect"
import { TestClock } from "effect/testing"

/** Each has a separate store, because a process consumes the logs of all organizations. */
const test = <A, E>(name: string, body: () => Effect.Effect<A, E, Ports | Scope.Scope>) =>
  it.effect(name, () => Effect.provide(Effect.scoped(Effect.suspend(body)), TestKit.layer, { local: true }))

const process = (consumers: Layer.Layer<EventConsumers, never, Ports>) =>
  layerWorkersOf(eventTasks).pipe(Layer.provide(Layer.provide(layerEventConsumerRunner, consumers)))

interface Handling {
  readonly before?: (events: ReadonlyArray<LoggedEvent>) => Effect.Effect<void>
}

/** Stores its received events. */
const follower = ({ before = () => Effect.void }: Handling = {}) => {
  const seen: Array<LoggedEvent<DomainEvent>> = []
  const consumer = defineEventConsumer({
    name: "test.keeps_all",
    schema: DomainEvent,
    events: "all",
    beginsWith: "first_event",
    batch: 10,
    handle: Effect.fnUntraced(function* (events) {
      yield* before(events)
      seen.push(...events)
    })
  })
  const tags = () => seen.filter(({ event }) => event.type === "tag.created")
  return {
    layer: layerEventConsumersOf([consumer]),
    seen,
    tags,
    typesSeen: () => seen.map(({ event }) => event.type),
    consumer
  }
}

const addTag = (organization: Organization, name: string) =>
  createTag({ name, color: "#336699" }).pipe(asOperatorOf(organization))

describe("a process that follows the logs", () => {
  test("handles events of every organization, including earlier ones", () =>
    Effect.gen(function* () {
      const { layer, tags } = follower()
      const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
      yield* addTag(one, "Early")
      yield* Layer.build(process(layer))
      yield* TestClock.adjust("1 second")
      assert.lengthOf(tags(), 1)
      yield* addTag(one, "Late")
      yield* addTag(other, "Late")
      yield* TestClock.adjust("100 millis")
      assert.lengthOf(tags(), 3)
    }))

  test("finds events without a notification", () =>
    Effect.gen(function* () {
      const { layer, tags } = follower()
      const organization = yield* givenOrganization()
      const directory = yield* EventConsumerDirectory
      const deaf = EventConsumerDirectory.of({ ...directory, listen: Effect.succeed({ next: Effect.never }) })
      yield* Layer.build(process(layer)).pipe(Effect.provideService(EventConsumerDirectory, deaf))
      yield* TestClock.adjust("1 second")
      yield* addTag(organization, "Silent")
      yield* TestClock.adjust("10 seconds")
      assert.lengthOf(tags(), 0)
      yield* TestClock.adjust("21 seconds")
      assert.lengthOf(tags(), 1)
    }))

  test("retries failed events, continues elsewhere, and shows its lag", () =>
    Effect.gen(function* () {
      const [stuck, fine] = [yield* givenOrganization(), yield* givenOrganization()]
      const { id } = yield* addTag(stuck, "Poison")
      const { layer, consumer, tags } = follower({
        before: (events) =>
          events.some(({ event }) => event["tagId"] === id) ? Effect.die(new Error("No.")) : Effect.void
      })
      yield* Layer.build(process(layer))
      yield* TestClock.adjust("1 second")
      yield* addTag(stuck, "Held back")
      yield* addTag(fine, "Goes on")
      yield* TestClock.adjust("1 second")
      assert.lengthOf(tags(), 1)
      yield* TestClock.adjust("1 minute")
      const gauge = (name: string) =>
        Effect.map(Metric.snapshot, (metrics) => {
          const found = metrics.find((each) => each.id === name && each.attributes?.["consumer"] === consumer.name)
          return found?.type === "Gauge" ? Number(found.state.value) : Number.NaN
        })
      assert.isAtLeast(yield* gauge("parley_event_consumer_lag_seconds"), 29)
      assert.strictEqual(yield* gauge("parley_event_consumer_pending_organizations"), 1)
      // Polls and retries have jitter. One large step would skip polls.
      for (let steps = 0; steps < 60 && (yield* gauge("parley_event_consumer_parked_events")) !== 1; steps++) {
        yield* TestClock.adjust("10 seconds")
      }
      assert.lengthOf(tags(), 2)
      assert.deepStrictEqual(
        [
          yield* gauge("parley_event_consumer_lag_seconds"),
          yield* gauge("parley_event_consumer_pending_organizations"),
          yield* gauge("parley_event_consumer_parked_events")
        ],
        [0, 0, 1]
      )
    }))

  test("does nothing any more once it is stopped, and another goes on where it was", () =>
    Effect.gen(function* () {
      const { layer, tags } = follower()
      const organization = yield* givenOrganization()
      const scope = yield* Scope.make()
      yield* Layer.buildWithScope(process(layer), scope)
      yield* addTag(organization, "First")
      yield* TestClock.adjust("1 second")
      yield* Scope.close(scope, Exit.void)
      yield* addTag(organization, "Second")
      yield* TestClock.adjust("1 minute")
      assert.lengthOf(tags(), 1)
      yield* Layer.build(process(layer))
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(
        tags().map(({ position }) => position),
        [2, 3]
      )
    }))

  test("is given the events of people who were merged or erased since, as they were logged", () =>
    Effect.gen(function* () {
      const { layer, seen, typesSeen } = follower()
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const [one, other] = [
        yield* createContact({ name: "Ada" }).pipe(inside),
        yield* createContact({ name: "Bo" }).pipe(inside)
      ]
      yield* mergeContacts({ id: one.id, contactId: other.id, ifVersion: null }).pipe(inside)
      yield* eraseContact({ id: one.id, ifVersion: null }).pipe(inside)
      yield* Layer.build(process(layer))
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(
        seen.map(({ position }) => position),
        seen.map((_, place) => place + 1)
      )
      const expected: ReadonlyArray<DomainEvent["type"]> = [
        "contact.created",
        "contact.created",
        "contact.merged",
        "contact.deleted"
      ]
      assert.deepStrictEqual(
        typesSeen().filter((type) => expected.includes(type)),
        [...expected]
      )
      assert.notMatch(JSON.stringify(seen), /Ada|Bo/)
    }))
})

describe("the reactions of contacts", () => {
  test("remove a deleted tag from all contacts in batches", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const { id } = yield* addTag(organization, "Gone")
      yield* deleteTag({ id, ifVersion: null }).pipe(inside)
      const left = [1_000, 1_000, 17]
      const cleared: Array<TagId> = []
      const real = yield* Tags
      const counting = Tags.of({
        ...real,
        clear: (tag) =>
          Effect.sync(() => {
            cleared.push(tag)
            return left.shift() ?? 0
          })
      })
      yield* Layer.build(process(layerEventConsumers)).pipe(Effect.provideService(Tags, counting))
      yield* TestClock.adjust("1 second")
      const standing = Effect.flatMap(EventCursors, (port) =>
        port.list([{ name: EventConsumerName.make("crm.clear_tags"), types: ["tag.deleted"] }])
      ).pipe(inside)
      // Number of other turns before the event belongs to no one here.
      yield* Effect.repeat(Effect.tap(standing, Effect.yieldNow), {
        until: ([subscription]) => subscription?.position === subscription?.head
      })
      assert.deepStrictEqual(cleared, [id, id, id])
    }))
})

describe("an event consumer that handles fewer events than offered", () => {
  test("is given the others after those", () =>
    Effect.gen(function* () {
      const given: Array<number> = []
      const handled: Array<number> = []
      const consumer = defineEventConsumer({
        name: "test.takes_three",
        schema: DomainEvent,
        events: ["tag.created"],
        beginsWith: "first_event",
        batch: 10,
        handle: (events) =>
          Effect.sync(() => {
            const taken = events.slice(0, 3)
            given.push(events.length)
            handled.push(...taken.map(({ position }) => position))
            return taken.length === events.length ? "done" : { upTo: taken.at(-1)?.position ?? 0 }
          })
      })
      const organization = yield* givenOrganization()
      for (const name of ["A", "B", "C", "D", "E", "F", "G"]) yield* addTag(organization, name)
      yield* Layer.build(process(layerEventConsumersOf([consumer])))
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(given, [7, 4, 1])
      assert.lengthOf(new Set(handled), 7)
      assert.deepStrictEqual(
        handled,
        handled.toSorted((one, other) => one - other)
      )
    }))
})
