import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { ConversationId } from "@parley/domain/messaging"
import { CartId } from "@parley/domain/commerce"
import { type TriggerTimer, TriggerTimers, AutomationId, WorkflowId } from "@parley/domain/automation"
import { DateTime, Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { freshId, givenOrganization, inside } from "../../given.ts"

const at = (minutes: number) => DateTime.add(DateTime.makeUnsafe("2026-11-20T09:00:00.250Z"), { minutes })

const newClock = (overrides: Partial<TriggerTimer> = {}): TriggerTimer => ({
  kind: "automation",
  ownerId: freshId(AutomationId),
  subjectId: freshId(ConversationId),
  position: 7,
  since: at(0),
  dueAt: at(30),
  ...overrides
})

const set = Effect.fnUntraced(function* (...clocks: ReadonlyArray<TriggerTimer>) {
  yield* transact((yield* TriggerTimers).set(clocks))
})

export const triggerTimers: StorageContract = {
  port: "TriggerTimers",
  promises: (it) => {
    it.effect("lists due timers, the longest overdue first, and reports whether there are more", () =>
      Effect.gen(function* () {
        const clocks = yield* TriggerTimers
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        yield* Effect.gen(function* () {
          assert.isNull(yield* clocks.nextDue("automation"))
          const [first, second, third] = [newClock(), newClock({ dueAt: at(31) }), newClock({ dueAt: at(60) })]
          yield* set(third, second, first)
          assert.deepStrictEqual(yield* clocks.due("automation", at(29), 9), [])
          assert.deepStrictEqual(yield* clocks.due("automation", at(31), 9), [first, second])
          assert.deepStrictEqual(yield* clocks.due("automation", at(99), 1), [first])
          assert.deepStrictEqual(yield* clocks.nextDue("automation"), at(30))
          assert.deepStrictEqual(yield* transact(clocks.strike([first, second], false)), [first, second])
          assert.deepStrictEqual(yield* clocks.nextDue("automation"), at(60))
          assert.deepStrictEqual(yield* transact(clocks.strike([first], false)), [])
        }).pipe(inside(one))
        assert.isNull(yield* clocks.nextDue("automation").pipe(inside(other)))
      })
    )

    it.effect("distinguishes timers of automations and workflows", () =>
      Effect.gen(function* () {
        const clocks = yield* TriggerTimers
        yield* Effect.gen(function* () {
          const ofAutomation = newClock({ dueAt: at(40) })
          const ofWorkflow = newClock({ kind: "workflow", ownerId: freshId(WorkflowId), dueAt: at(20) })
          yield* set(ofAutomation, ofWorkflow)
          assert.deepStrictEqual(yield* clocks.due("automation", at(99), 9), [ofAutomation])
          assert.deepStrictEqual(yield* clocks.due("workflow", at(99), 9), [ofWorkflow])
          assert.deepStrictEqual(yield* clocks.nextDue("automation"), at(40))
          assert.deepStrictEqual(yield* clocks.nextDue("workflow"), at(20))
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("restarts a timer that is set again, and stops a stopped one", () =>
      Effect.gen(function* () {
        const clocks = yield* TriggerTimers
        yield* Effect.gen(function* () {
          const before = newClock()
          const beside = newClock({ subjectId: before.subjectId })
          const after = { ...before, position: 9, since: at(10), dueAt: at(40) }
          yield* set(before, beside)
          yield* set(after)
          assert.deepStrictEqual(yield* transact(clocks.strike([before], false)), [])
          assert.deepStrictEqual(yield* clocks.due("automation", at(99), 9), [beside, after])
          yield* transact(clocks.stop(before.subjectId, [before.ownerId]))
          assert.deepStrictEqual(yield* clocks.due("automation", at(99), 9), [beside])
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("fires once until it is forgotten", () =>
      Effect.gen(function* () {
        const clocks = yield* TriggerTimers
        yield* Effect.gen(function* () {
          const clock = newClock({ subjectId: freshId(CartId) })
          yield* set(clock)
          assert.deepStrictEqual(yield* transact(clocks.strike([clock], true)), [clock])
          yield* set({ ...clock, position: 9 })
          yield* transact(clocks.stop(clock.subjectId, [clock.ownerId]))
          assert.deepStrictEqual(yield* clocks.due("automation", at(99), 9), [])
          assert.strictEqual(yield* clocks.sweep(at(0), 9), 0)
          assert.strictEqual(yield* clocks.sweep(at(1), 9), 1)
          yield* set(clock)
          assert.deepStrictEqual(yield* clocks.due("automation", at(99), 9), [clock])
        }).pipe(inside(yield* givenOrganization()))
      })
    )
  }
}

export const triggerTimersContract = runContract(triggerTimers)
