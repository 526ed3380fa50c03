import { assert } from "@effect/vitest"
import { type CurrentActor, type CurrentOrganization, Outbox, type Transaction, transact } from "@parley/domain/kernel"
import {
  defineEventConsumer,
  EventLog,
  consumeLog,
  type LoggedEvent,
  MemberId,
  type Organization,
  type EventConsumer,
  EventConsumerDirectory,
  EventConsumerName,
  EventCursors
} from "@parley/domain/platform"
import { allAutomations, Automation, AutomationId, Automations, emptyDefinition } from "@parley/domain/automation"
import { DomainEvent, type StoragePorts } from "@parley/domain/composition"
import { Arbitrary, Cause, DateTime, Deferred, Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { runContract, type StorageContract } from "../../contract.ts"
import { among } from "../../../fixtures/drawing.ts"
import { freshId, givenOrganization, inside, outside, present } from "../../given.ts"

const created = (): DomainEvent => ({ type: "automation.created", automationId: freshId(AutomationId) })
const removed = (): DomainEvent => ({ type: "member.removed", memberId: freshId(MemberId) })

const append = (...events: ReadonlyArray<DomainEvent>) =>
  Effect.flatMap(Outbox, (outbox) => transact(Effect.forEach(events, outbox.append, { discard: true })))

type InHandler = Transaction | CurrentOrganization | CurrentActor

/** Writes a row for each handled event. A duplicate leaves two rows; a lost event leaves none. */
const note = Effect.fnUntraced(function* (name: string, events: ReadonlyArray<LoggedEvent>) {
  const automations = yield* Automations
  const now = yield* DateTime.now
  for (const { position } of events) {
    yield* automations.insert(
      new Automation({
        id: freshId(AutomationId),
        name: `${name} ${position}`,
        enabled: false,
        disabledReason: null,
        position: 1,
        ...emptyDefinition,
        createdAt: now,
        updatedAt: now,
        version: 1
      })
    )
  }
})

const notedBy = ({ name }: Pick<EventConsumer<never>, "name">) =>
  Effect.map(
    Effect.flatMap(Automations, (automations) => automations.list(allAutomations, { limit: 10_000, after: null })),
    (rows) =>
      rows
        .flatMap((row) => (row.name.startsWith(`${name} `) ? [Number(row.name.slice(name.length + 1))] : []))
        .toReversed()
  )

/** Returns a unique name. Names cannot contain digits. */
const freshName = () => {
  const salt = freshId({ make: (id: string) => id })
  return `test.${Array.from(salt.replaceAll("-", ""), (digit) => String.fromCharCode(97 + Number.parseInt(digit, 16))).join("")}`
}

/** Event consumer that skips unneeded events and records each check. */
const neededBy = (isNeeded: () => boolean) => {
  const asked: Array<ReadonlyArray<number>> = []
  const consumer = defineEventConsumer({
    name: freshName(),
    schema: DomainEvent,
    events: "all",
    beginsWith: "next_event",
    batch: 10,
    handle: (events: ReadonlyArray<LoggedEvent>) =>
      Effect.sync(() => {
        asked.push(events.map(({ position }) => position))
        return isNeeded() ? ("done" as const) : ("nobody" as const)
      })
  })
  return { asked, consumer }
}

interface Given {
  readonly batch?: number
  readonly beginsWith?: "first_event" | "next_event"
  /** What happens with the events before they are noted. */
  readonly before?: (events: ReadonlyArray<LoggedEvent>) => Effect.Effect<void, unknown, StoragePorts>
  /** What happens after that. */
  readonly after?: (events: ReadonlyArray<LoggedEvent>) => Effect.Effect<void, unknown, StoragePorts>
}

const nothing = () => Effect.void

const newConsumer = ({ after = nothing, batch = 10, before = nothing, beginsWith = "first_event" }: Given = {}) => {
  const name = freshName()
  return defineEventConsumer({
    name,
    schema: DomainEvent,
    events: ["automation.created"],
    beginsWith,
    batch,
    handle: Effect.fnUntraced(function* (events: ReadonlyArray<LoggedEvent>) {
      yield* before(events)
      yield* note(name, events)
      yield* after(events)
    })
  })
}

type Tested = EventConsumer<StoragePorts | InHandler>

/** Runs like a process with all ports. */
const complete = Effect.fnUntraced(function* (consumer: Tested) {
  const ports = yield* Effect.context<StoragePorts>()
  return {
    ...consumer,
    handle: (events: ReadonlyArray<LoggedEvent>) => Effect.provide(consumer.handle(events), ports)
  }
})

const follow = (consumer: Tested) => Effect.flatMap(complete(consumer), consumeLog)

/** Runs the consumer until it is idle and advances the clock through each wait. */
const settle = Effect.fnUntraced(function* (consumer: Tested) {
  while (true) {
    const again = yield* follow(consumer)
    if (again === null) return
    const wait = DateTime.toEpochMillis(again) - DateTime.toEpochMillis(yield* DateTime.now)
    if (wait > 0) yield* TestClock.adjust(wait)
  }
})

const cursorOf = Effect.fnUntraced(function* (consumer: Tested) {
  const [found] = yield* (yield* EventCursors).list([consumer])
  return found ?? (yield* Effect.die(new Error("It is not known.")))
})

const parkedOf = ({ name }: Tested) =>
  Effect.flatMap(EventCursors, (cursors) => cursors.listParked(name, { limit: 100, after: null }))

const upTo = (last: number) => Array.from({ length: last }, (_, place) => place + 1)

/** Fails on these positions while they are in the set. */
const failingOn = (poison: ReadonlySet<number>) => (events: ReadonlyArray<LoggedEvent>) =>
  events.some(({ position }) => poison.has(position)) ? Effect.die(new Error("It cannot be done.")) : Effect.void

const inNew = <A, E, R>(effect: (organization: Organization) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(Effect.andThen(present, givenOrganization()), (organization) =>
    inside(organization)(effect(organization))
  )

export const eventCursors: StorageContract = {
  port: "EventCursors",
  promises: (it, overlap) => {
    it.effect("handles each event that is for an event consumer once, in order, batch by batch", () =>
      inNew(() =>
        Effect.gen(function* () {
          const batches: Array<ReadonlyArray<number>> = []
          const consumer = newConsumer({
            batch: 3,
            after: (events) => Effect.sync(() => batches.push(events.map(({ position }) => position)))
          })
          yield* append(created(), removed(), created(), created(), created())
          yield* settle(consumer)
          yield* settle(consumer)
          assert.deepStrictEqual(batches, [[1, 3, 4], [5]])
          yield* append(removed(), created())
          yield* settle(consumer)
          assert.deepStrictEqual(yield* notedBy(consumer), [1, 3, 4, 5, 7])
          const { head, next, position } = yield* cursorOf(consumer)
          assert.deepStrictEqual([position, head, next], [7, 7, null])
        })
      )
    )

    it.effect("returns the next events, also for a consumer of all types", () =>
      inNew(() =>
        Effect.gen(function* () {
          const now = yield* DateTime.now
          const all = defineEventConsumer({
            name: freshName(),
            schema: DomainEvent,
            events: "all",
            beginsWith: "first_event",
            batch: 10,
            handle: () => Effect.void
          })
          const some = newConsumer()
          const list = Effect.flatMap(EventCursors, (port) => port.list([all, some]))
          const unknown = yield* list
          assert.deepStrictEqual(
            unknown.map(({ head, next, position }) => [position, head, next]),
            [
              [null, 0, null],
              [null, 0, null]
            ]
          )
          yield* settle(all)
          yield* settle(some)
          yield* append(removed(), created())
          const found = yield* list
          assert.deepStrictEqual(
            found.map(({ next, position, consumer }) => [consumer, position, next?.position, next?.type]),
            [
              [all.name, 0, 1, "member.removed"],
              [some.name, 0, 2, "automation.created"]
            ]
          )
          assert.deepStrictEqual(
            found.map(({ next }) => next?.at && DateTime.toEpochMillis(next.at)),
            [DateTime.toEpochMillis(now), DateTime.toEpochMillis(now)]
          )
          yield* settle(all)
          assert.strictEqual((yield* cursorOf(all)).position, 2)
        })
      )
    )

    it.effect("moves a cursor past what is not for the event consumer only now and then", () =>
      inNew(() =>
        Effect.gen(function* () {
          const consumer = newConsumer()
          yield* settle(consumer)
          yield* append(...Array.from({ length: 499 }, removed))
          yield* settle(consumer)
          assert.strictEqual((yield* cursorOf(consumer)).position, 0)
          yield* append(removed())
          yield* settle(consumer)
          assert.strictEqual((yield* cursorOf(consumer)).position, 500)
        })
      )
    )

    it.effect("moves the cursors of several past foreign events together, if unchanged since the read", () =>
      inNew(() =>
        Effect.gen(function* () {
          const [idle, moved, failing] = [
            newConsumer(),
            newConsumer(),
            newConsumer({ before: failingOn(new Set([1])) })
          ]
          const { consumer: resting } = neededBy(() => false)
          const all = [idle, moved, failing, resting]
          const other = yield* outside(givenOrganization())
          for (const each of all) yield* settle(each)
          yield* inside(other)(settle(idle))
          yield* append(created(), removed())
          for (const each of all) yield* follow(each)
          yield* append(removed())
          const passed = yield* Effect.flatMap(EventCursors, (port) =>
            transact(
              port.passBy([
                { consumer: idle.name, position: 2, head: 3 },
                { consumer: moved.name, position: 1, head: 3 },
                { consumer: failing.name, position: 0, head: 3 },
                { consumer: resting.name, position: 2, head: 3 }
              ])
            )
          )
          assert.deepStrictEqual([...passed], [idle.name])
          const positions = Effect.forEach(all, (each) =>
            Effect.map(cursorOf(each), ({ attempts, position }) => [position, attempts])
          )
          assert.deepStrictEqual(yield* positions, [
            [3, 0],
            [2, 0],
            [0, 1],
            [2, 0]
          ])
          assert.strictEqual((yield* inside(other)(cursorOf(idle))).position, 0)
          assert.strictEqual((yield* Effect.flatMap(EventCursors, (port) => transact(port.passBy([])))).size, 0)
          yield* append(created())
          yield* settle(idle)
          assert.deepStrictEqual(yield* notedBy(idle), [1, 4])
        })
      )
    )

    it.effect("stops polling of an unneeded consumer until needed, except every 500 events", () =>
      inNew(() =>
        Effect.gen(function* () {
          let isNeeded = false
          const { asked, consumer } = neededBy(() => isNeeded)
          const wake = Effect.flatMap(EventCursors, (port) => transact(port.wake(consumer.name)))
          yield* settle(consumer)
          yield* append(created(), removed())
          yield* settle(consumer)
          assert.deepStrictEqual(asked, [[1, 2]])
          yield* append(...Array.from({ length: 499 }, removed))
          yield* settle(consumer)
          assert.lengthOf(asked, 1)
          const resting = yield* cursorOf(consumer)
          assert.deepStrictEqual([resting.position, resting.next], [2, null])
          yield* append(removed())
          yield* settle(consumer)
          assert.deepStrictEqual(asked.at(-1)?.[0], 3)
          assert.lengthOf(asked, 2)
          assert.strictEqual((yield* cursorOf(consumer)).position, 502)
          isNeeded = true
          yield* wake
          yield* append(created())
          yield* settle(consumer)
          yield* append(created())
          yield* settle(consumer)
          assert.deepStrictEqual(asked.slice(2), [[503], [504]])
          yield* Effect.flatMap(EventCursors, (port) => transact(port.rewind(consumer.name, 503)))
          yield* settle(consumer)
          assert.deepStrictEqual(asked.at(-1), [504])
        })
      )
    )

    it.effect("wakes a consumer without a start by the next event, and none of another organization", () =>
      inNew(() =>
        Effect.gen(function* () {
          const { asked, consumer } = neededBy(() => false)
          const wake = Effect.flatMap(EventCursors, (port) => transact(port.wake(consumer.name)))
          yield* append(created())
          yield* wake
          yield* append(created())
          yield* settle(consumer)
          assert.deepStrictEqual(asked, [[2]])
          const other = yield* outside(givenOrganization())
          yield* inside(other)(wake)
          yield* append(created())
          yield* settle(consumer)
          assert.lengthOf(asked, 1)
        })
      )
    )

    it.effect("starts with the next event for a known consumer that requests no history", () =>
      Effect.gen(function* () {
        yield* present
        const consumer = newConsumer({ beginsWith: "next_event" })
        const [old, young] = [yield* givenOrganization(), yield* givenOrganization()]
        yield* append(created(), created()).pipe(inside(old))
        yield* TestClock.adjust("1 second")
        const directory = yield* EventConsumerDirectory
        const now = yield* DateTime.now
        yield* outside(directory.add([consumer.name], now))
        yield* TestClock.adjust("1 second")
        yield* append(created()).pipe(inside(old))
        yield* append(created()).pipe(inside(young))
        yield* settle(consumer).pipe(inside(old))
        yield* settle(consumer).pipe(inside(young))
        assert.deepStrictEqual(yield* notedBy(consumer).pipe(inside(old)), [3])
        assert.deepStrictEqual(yield* notedBy(consumer).pipe(inside(young)), [1])
        const again = yield* outside(directory.add([consumer.name], yield* DateTime.now))
        assert.deepStrictEqual(
          again.map(({ name, since }) => [name, DateTime.toEpochMillis(since)]),
          [[consumer.name, DateTime.toEpochMillis(now)]]
        )
      })
    )

    it.effect("keeps the cursors of tenants and of event consumers apart", () =>
      Effect.gen(function* () {
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const [first, second] = [newConsumer(), newConsumer()]
        for (const organization of [one, other]) yield* append(created(), created()).pipe(inside(organization))
        yield* settle(first).pipe(inside(one))
        assert.deepStrictEqual(yield* notedBy(first).pipe(inside(one)), [1, 2])
        assert.deepStrictEqual(yield* notedBy(first).pipe(inside(other)), [])
        assert.deepStrictEqual(yield* notedBy(second).pipe(inside(one)), [])
        assert.strictEqual((yield* cursorOf(first).pipe(inside(other))).position, null)
      })
    )

    it.effect("a commit that fails leaves neither what was done nor the move of the cursor", () =>
      inNew(() =>
        Effect.gen(function* () {
          let failures = 2
          const consumer = newConsumer({
            after: () => Effect.suspend(() => (failures-- > 0 ? Effect.die(new Error("gone")) : Effect.void))
          })
          yield* append(created(), created(), created())
          yield* settle(consumer)
          assert.deepStrictEqual(yield* notedBy(consumer), [1, 2, 3])
          assert.deepStrictEqual(yield* parkedOf(consumer), [])
        })
      )
    )

    it.effect("repeats work that was interrupted before its commit, once", () =>
      inNew(() =>
        Effect.gen(function* () {
          const isDone = yield* Deferred.make<void>()
          const dying = newConsumer({
            after: () => Effect.andThen(Deferred.succeed(isDone, undefined), Effect.never)
          })
          const living: Tested = { ...newConsumer(), name: dying.name, handle: (events) => note(dying.name, events) }
          yield* append(created(), created())
          const fiber = yield* Effect.forkChild(follow(dying))
          yield* Deferred.await(isDone)
          yield* Fiber.interrupt(fiber)
          assert.deepStrictEqual(yield* notedBy(dying), [])
          yield* settle(living)
          assert.deepStrictEqual(yield* notedBy(dying), [1, 2])
          assert.deepStrictEqual(yield* cursorOf(living).pipe(Effect.map(({ attempts }) => attempts)), 0)
        })
      )
    )

    it.effect("several workers of one organization handle each event once, in order", () =>
      inNew(() =>
        Effect.gen(function* () {
          const seen: Array<number> = []
          const consumer = newConsumer({
            batch: 4,
            before: () => Effect.yieldNow,
            after: (events) =>
              Effect.sync(() => {
                for (const { position } of events) seen.push(position)
              })
          })
          const write = Effect.forEach(upTo(12), () => append(created(), created()), { discard: true })
          const process = Effect.forEach(upTo(30), () => Effect.andThen(Effect.yieldNow, follow(consumer)), {
            discard: true
          })
          yield* Effect.all([write, process, process, process], { concurrency: "unbounded" })
          yield* settle(consumer)
          assert.deepStrictEqual(
            yield* notedBy(consumer).pipe(Effect.map((all) => all.toSorted((a, b) => a - b))),
            upTo(24)
          )
          assert.deepStrictEqual(seen, upTo(24))
        })
      )
    )

    if (overlap === "writers") {
      it.effect("the owner of a cursor blocks no other worker", () =>
        inNew(() =>
          Effect.gen(function* () {
            const [isDone, goesOn] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
            const consumer = newConsumer({
              after: () => Effect.andThen(Deferred.succeed(isDone, undefined), Deferred.await(goesOn))
            })
            yield* append(created())
            yield* Effect.andThen(EventCursors, (port) => transact(port.begin(consumer.name, null)))
            const fiber = yield* Effect.forkChild(follow(consumer))
            yield* Deferred.await(isDone)
            const again = yield* follow(consumer)
            assert.isTrue(again !== null && DateTime.isGreaterThan(again, yield* DateTime.now))
            yield* Deferred.succeed(goesOn, undefined)
            yield* Fiber.join(fiber)
            assert.deepStrictEqual(yield* notedBy(consumer), [1])
          })
        )
      )
    }

    it.effect("tries an event that fails again, later and later, then parks it with its reason and goes on", () =>
      inNew(() =>
        Effect.gen(function* () {
          const poison = new Set([3])
          const consumer = newConsumer({ after: failingOn(poison) })
          yield* append(created(), created(), created(), created(), created())
          const start = DateTime.toEpochMillis(yield* DateTime.now)
          const waits: Array<number> = []
          while (true) {
            const again = yield* follow(consumer)
            if (again === null) break
            const wait = DateTime.toEpochMillis(again) - DateTime.toEpochMillis(yield* DateTime.now)
            if (wait === 0) continue
            assert.deepStrictEqual(yield* notedBy(consumer), [1, 2])
            const { attempts, next, position, reason } = yield* cursorOf(consumer)
            assert.deepStrictEqual(
              [position, next?.position, attempts, reason],
              [2, 3, waits.length + 1, "It cannot be done."]
            )
            assert.deepStrictEqual(yield* follow(consumer), again)
            waits.push(wait / 1_000)
            yield* TestClock.adjust(wait)
          }
          assert.deepStrictEqual(waits, [1, 2, 4, 8, 16, 32, 64])
          assert.deepStrictEqual(yield* notedBy(consumer), [1, 2, 4, 5])
          const parked = yield* parkedOf(consumer)
          assert.deepStrictEqual(
            parked.map(({ attempts, isReplayed, parkedAt, position, reason, type }) => [
              position,
              type,
              attempts,
              reason,
              DateTime.toEpochMillis(parkedAt) - start,
              isReplayed
            ]),
            [[3, "automation.created", 8, "It cannot be done.", 127_000, false]]
          )
          const { attempts, next, parked: count, position } = yield* cursorOf(consumer)
          assert.deepStrictEqual([position, next, attempts, count], [5, null, 0, 1])
        })
      )
    )

    it.effect("an event that fails holds back no other event consumer and no other organization", () =>
      Effect.gen(function* () {
        yield* present
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const failing = newConsumer({
          before: (events) =>
            events.length > 0 && events[0]?.actor.id === "contract" && stuck ? Effect.fail("refused") : Effect.void
        })
        let stuck = true
        const fine = newConsumer()
        for (const organization of [one, other]) yield* append(created()).pipe(inside(organization))
        assert.isNotNull(yield* follow(failing).pipe(inside(one)))
        yield* settle(fine).pipe(inside(one))
        stuck = false
        yield* settle(failing).pipe(inside(other))
        assert.deepStrictEqual(yield* notedBy(failing).pipe(inside(one)), [])
        assert.deepStrictEqual(yield* notedBy(fine).pipe(inside(one)), [1])
        assert.deepStrictEqual(yield* notedBy(failing).pipe(inside(other)), [1])
      })
    )

    it.effect("handles a parked event again on request, and parks it again after a failure", () =>
      inNew(() =>
        Effect.gen(function* () {
          const port = yield* EventCursors
          const poison = new Set([2, 4])
          const consumer = newConsumer({ after: failingOn(poison) })
          yield* append(created(), created(), created(), created())
          yield* settle(consumer)
          assert.deepStrictEqual(yield* notedBy(consumer), [1, 3])
          poison.delete(2)
          assert.strictEqual(yield* transact(port.replayParked(consumer.name, 2)), 1)
          assert.deepStrictEqual(
            (yield* parkedOf(consumer)).map(({ isReplayed, position }) => [position, isReplayed]),
            [
              [2, true],
              [4, false]
            ]
          )
          yield* settle(consumer)
          assert.deepStrictEqual(yield* notedBy(consumer), [1, 3, 2])
          assert.strictEqual(yield* transact(port.replayParked(consumer.name, null)), 1)
          yield* settle(consumer)
          const left = yield* parkedOf(consumer)
          assert.deepStrictEqual(
            left.map(({ attempts, isReplayed, position }) => [position, attempts, isReplayed]),
            [[4, 9, false]]
          )
          poison.clear()
          yield* transact(port.replayParked(consumer.name, null))
          yield* settle(consumer)
          assert.deepStrictEqual(yield* notedBy(consumer), [1, 3, 2, 4])
          assert.deepStrictEqual(yield* parkedOf(consumer), [])
          for (const refused of [port.replayParked(consumer.name, 2), port.unpark(consumer.name, 2)]) {
            assert.strictEqual((yield* Effect.flip(transact(refused)))._tag, "NotFound")
          }
          assert.strictEqual(yield* transact(port.replayParked(consumer.name, null)), 0)
        })
      )
    )

    it.effect("handles all again that came after a position, also what was parked", () =>
      inNew(() =>
        Effect.gen(function* () {
          const port = yield* EventCursors
          const poison = new Set([3])
          const consumer = newConsumer({ after: failingOn(poison) })
          yield* append(...Array.from({ length: 4 }, created))
          yield* settle(consumer)
          poison.clear()
          yield* transact(port.rewind(consumer.name, 2))
          assert.deepStrictEqual(yield* parkedOf(consumer), [])
          assert.strictEqual((yield* cursorOf(consumer)).position, 2)
          yield* settle(consumer)
          assert.deepStrictEqual(yield* notedBy(consumer), [1, 2, 4, 3, 4])
          yield* transact(port.rewind(consumer.name, 1_000))
          assert.strictEqual((yield* cursorOf(consumer)).position, 4)
          const refused = yield* Effect.flip(transact(port.rewind(newConsumer().name, 0)))
          assert.strictEqual(refused._tag, "NotFound")
        })
      )
    )

    it.effect("does a part of what an event asks for, and comes back for the rest", () =>
      inNew(() =>
        Effect.gen(function* () {
          const name = freshName()
          let parts = 0
          const consumer: Tested = defineEventConsumer({
            name,
            schema: DomainEvent,
            events: ["automation.created"],
            beginsWith: "first_event",
            batch: 10,
            handle: Effect.fnUntraced(function* (events) {
              parts += 1
              yield* note(`${name}_part`, events)
              if (parts < 3) return "more" as const
              yield* note(name, events)
              return "done" as const
            })
          })
          yield* append(created(), created())
          yield* settle(consumer)
          assert.deepStrictEqual(yield* notedBy(consumer), [1, 2])
          assert.lengthOf(yield* notedBy({ name: EventConsumerName.make(`${name}_part`) }), 6)
        })
      )
    )

    it.effect("keeps nothing of an event consumer that is removed", () =>
      inNew(() =>
        Effect.gen(function* () {
          const port = yield* EventCursors
          const directory = yield* EventConsumerDirectory
          const consumer = newConsumer({ before: failingOn(new Set([1])) })
          yield* outside(directory.add([consumer.name], yield* DateTime.now))
          yield* append(created())
          yield* settle(consumer)
          assert.lengthOf(yield* parkedOf(consumer), 1)
          yield* transact(port.remove(consumer.name))
          yield* outside(transact(directory.remove(consumer.name)))
          const { parked, position } = yield* cursorOf(consumer)
          assert.deepStrictEqual([position, parked], [null, 0])
          assert.isFalse((yield* outside(directory.list)).some(({ name }) => name === consumer.name))
          const refused = yield* Effect.flip(outside(transact(directory.remove(consumer.name))))
          assert.strictEqual(refused._tag, "NotFound")
        })
      )
    )

    it.effect("lists what is parked page by page", () =>
      inNew(() =>
        Effect.gen(function* () {
          const port = yield* EventCursors
          const consumer = newConsumer({ before: failingOn(new Set(upTo(12))) })
          yield* append(...Array.from({ length: 12 }, created))
          yield* settle(consumer)
          const page = (after: number | null) =>
            Effect.map(
              port.listParked(null, { limit: 5, after: after === null ? null : [consumer.name, String(after)] }),
              (rows) => rows.map(({ position }) => position)
            )
          assert.deepStrictEqual(yield* page(null), [1, 2, 3, 4, 5])
          assert.deepStrictEqual(yield* page(9), [10, 11, 12])
        })
      )
    )

    it.effect("notifies listeners of all organizations about events and replays", () =>
      Effect.gen(function* () {
        const port = yield* EventCursors
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const consumer = newConsumer()
        const listener = yield* outside(Effect.flatMap(EventConsumerDirectory, ({ listen }) => listen))
        const heard = new Set<string>()
        const hear = (organization: Organization) =>
          Effect.gen(function* () {
            heard.clear()
            while (!heard.has(organization.id)) for (const id of yield* listener.next) heard.add(id)
          })
        yield* append(created()).pipe(inside(one))
        yield* append(created()).pipe(inside(other))
        yield* hear(one)
        if (!heard.has(other.id)) yield* hear(other)
        yield* transact(port.begin(consumer.name, null)).pipe(inside(one))
        yield* transact(port.rewind(consumer.name, 0)).pipe(inside(one))
        yield* hear(one)
        yield* transact(port.replayParked(consumer.name, null)).pipe(inside(one))
        yield* hear(one)
      }).pipe(Effect.scoped)
    )

    it.effect.prop(
      "handles exactly the logged events in every history",
      {
        happened: Arbitrary.array(
          among(["log", "log others", "follow", "follow twice", "fail", "die", "stop", "wait"] as const),
          { minLength: 6, maxLength: 24 }
        ),
        batch: among([1, 2, 5])
      },
      ({ batch, happened }) =>
        inNew(() =>
          Effect.gen(function* () {
            let mishap: "fail" | "die" | "stop" | null = null
            const consumer = newConsumer({
              batch,
              after: () =>
                Effect.suspend(() => {
                  const now = mishap
                  mishap = null
                  if (now === "fail") return Effect.fail("refused")
                  if (now === "die") return Effect.die(new Error("gone"))
                  return now === "stop" ? Effect.interrupt : Effect.void
                })
            })
            for (const step of happened) {
              switch (step) {
                case "log":
                  yield* append(created(), created())
                  break
                case "log others":
                  yield* append(removed(), created(), removed())
                  break
                case "follow":
                  yield* follow(consumer)
                  break
                case "follow twice":
                  yield* Effect.all([follow(consumer), follow(consumer)], { concurrency: 2 })
                  break
                case "wait":
                  yield* TestClock.adjust("3 seconds")
                  break
                default: {
                  mishap = step
                  const exit = yield* Effect.exit(follow(consumer))
                  assert.isTrue(Exit.isSuccess(exit) || Cause.hasInterrupts(exit.cause))
                  mishap = null
                }
              }
            }
            yield* settle(consumer)
            const logged = yield* (yield* EventLog).list(["automation.created"], { limit: 1_000, after: null })
            assert.deepStrictEqual(
              yield* notedBy(consumer),
              logged.map(({ position }) => position)
            )
          })
        ),
      { arbitrary: { runs: 25, seed: "subscriptions", maxShrinks: 40 } }
    )
  }
}

/** Contract of `EventCursors` with its `EventConsumerDirectory`. */
export const eventCursorsContract = runContract(eventCursors)
