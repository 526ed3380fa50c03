import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import {
  defineEventConsumer,
  EventLog,
  type Organization,
  EventConsumerDirectory,
  EventConsumerName,
  EventCursors
} from "@parley/domain/platform"
import { DomainEvent } from "@parley/domain/composition"
import { Arbitrary, Cause, DateTime, Effect, Exit } from "effect"
import { TestClock } from "effect/testing"
import type { StorageContract } from "../../contract.ts"
import { among } from "../../../fixtures/drawing.ts"
import { givenOrganization, inside, outside } from "../../given.ts"
import {
  created,
  removed,
  append,
  note,
  notedBy,
  freshName,
  newConsumer,
  type Tested,
  follow,
  settle,
  cursorOf,
  parkedOf,
  upTo,
  failingOn,
  inNew
} from "./eventConsumers.ts"

/** Partial batches, removal, and notifications of consumers. */
export const consumerHistoryPromises: StorageContract["promises"] = (it) => {
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
