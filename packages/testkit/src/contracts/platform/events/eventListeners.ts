import { assert } from "@effect/vitest"
import { Outbox, transact } from "@parley/domain/kernel"
import { EventListeners, type LiveEvent, maxWaitingLiveEvents } from "@parley/domain/platform"
import { AutomationId } from "@parley/domain/automation"
import { Effect, Fiber } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { freshId, givenOrganization, inside } from "../../given.ts"

const log = Effect.flatMap(Outbox, (outbox) =>
  transact(outbox.append({ type: "automation.created", automationId: freshId(AutomationId) }))
)

const liveEvent = (text: string): LiveEvent => ({ type: "test.live", permission: "events.read", data: { text } })

const announce = (text: string) => Effect.flatMap(EventListeners, (signals) => signals.announce(liveEvent(text)))

const listen = Effect.flatMap(EventListeners, (signals) => signals.listen())

export const eventListeners: StorageContract = {
  port: "EventListeners",
  promises: (it) => {
    it.effect("wakes waiting listeners when an event is logged", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const listener = yield* listen.pipe(inside(organization))
        const waiting = yield* Effect.forkChild(listener.next)
        yield* log.pipe(inside(organization))
        yield* Fiber.join(waiting)
      }).pipe(Effect.scoped)
    )

    it.effect("remembers events from before the wait", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const listener = yield* listen.pipe(inside(organization))
        yield* log.pipe(inside(organization))
        yield* log.pipe(inside(organization))
        yield* listener.next
      }).pipe(Effect.scoped)
    )

    it.effect("passes live events to each listener of the organization, in order and once", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const [first, second] = yield* Effect.all([listen, listen]).pipe(inside(organization))
        const other = yield* listen.pipe(inside(yield* givenOrganization()))
        const waiting = yield* Effect.forkChild(first.next)
        yield* Effect.forEach(["one", "two"], announce).pipe(inside(organization))
        yield* Fiber.join(waiting)
        assert.deepStrictEqual(yield* first.takeLive, ["one", "two"].map(liveEvent))
        assert.deepStrictEqual(yield* second.takeLive, ["one", "two"].map(liveEvent))
        assert.deepStrictEqual([yield* first.takeLive, yield* other.takeLive], [[], []])
      }).pipe(Effect.scoped)
    )

    it.effect("drops the oldest live events of a listener that does not take them", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const listener = yield* listen.pipe(inside(organization))
        const texts = Array.from({ length: maxWaitingLiveEvents + 2 }, (_, place) => String(place))
        yield* Effect.forEach(texts, announce).pipe(inside(organization))
        assert.deepStrictEqual(yield* listener.takeLive, texts.slice(2).map(liveEvent))
      }).pipe(Effect.scoped)
    )

    it.effect("wakes every listener each time", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const listeners = yield* Effect.replicateEffect(listen, 3).pipe(inside(organization))
        for (let turn = 0; turn < 3; turn += 1) {
          const waiting = yield* Effect.forEach(listeners, ({ next }) => Effect.forkChild(next))
          yield* log.pipe(inside(organization))
          yield* Fiber.joinAll(waiting)
        }
        assert.lengthOf(listeners, 3)
      }).pipe(Effect.scoped)
    )
  }
}

export const eventListenersContract = runContract(eventListeners)
