import { assert } from "@effect/vitest"
import { AutomationId, EventListeners, Outbox, transact } from "@parley/domain"
import { Effect, Fiber } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { freshId, givenOrganization, inside } from "../../given.ts"

const log = Effect.flatMap(Outbox, (outbox) =>
  transact(outbox.append({ type: "automation.created", automationId: freshId(AutomationId) }))
)

const listen = Effect.flatMap(EventListeners, (signals) => signals.listen())

export const eventSignals: StorageContract = {
  port: "EventSignals",
  promises: (it) => {
    it.effect("wakes whoever waits when something is logged", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const listener = yield* listen.pipe(inside(organization))
        const waiting = yield* Effect.forkChild(listener.next)
        yield* log.pipe(inside(organization))
        yield* Fiber.join(waiting)
      }).pipe(Effect.scoped)
    )

    it.effect("has not forgotten what was logged before anybody waited for it", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const listener = yield* listen.pipe(inside(organization))
        yield* log.pipe(inside(organization))
        yield* log.pipe(inside(organization))
        yield* listener.next
      }).pipe(Effect.scoped)
    )

    it.effect("wakes each of those who listen, again and again", () =>
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

export const eventSignalsContract = runContract(eventSignals)
