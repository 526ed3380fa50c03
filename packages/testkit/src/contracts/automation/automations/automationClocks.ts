import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { ContactId } from "@parley/domain/crm"
import {
  Automation,
  type AutomationClock,
  AutomationClocks,
  AutomationId,
  Automations,
  emptyDefinition
} from "@parley/domain/automation"
import { DateTime, Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { freshId, givenOrganization, inside } from "../../given.ts"

const at = (minutes: number) => DateTime.add(DateTime.makeUnsafe("2026-11-20T09:00:00.250Z"), { minutes })

const set = Effect.fnUntraced(function* (clock: AutomationClock) {
  yield* transact((yield* AutomationClocks).set(clock))
})

/** A clock of a new automation. */
const givenClock = Effect.fnUntraced(function* (overrides: Partial<AutomationClock> = {}) {
  const automation = new Automation({
    id: freshId(AutomationId),
    name: "Daily",
    enabled: true,
    disabledReason: null,
    position: 1,
    ...emptyDefinition,
    createdAt: at(0),
    updatedAt: at(0),
    version: 1
  })
  const clock: AutomationClock = { automationId: automation.id, dueAt: at(0), after: null, ...overrides }
  yield* transact((yield* Automations).insert(automation))
  yield* set(clock)
  return clock
})

export const automationClocks: StorageContract = {
  port: "AutomationClocks",
  promises: (it) => {
    it.effect("returns the clock that is longest overdue, of its organization only", () =>
      Effect.gen(function* () {
        const clocks = yield* AutomationClocks
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const first = yield* Effect.gen(function* () {
          assert.isNull(yield* clocks.nextDue())
          assert.isNull(yield* clocks.due(at(99)))
          const second = yield* givenClock({ dueAt: at(31), after: freshId(ContactId) })
          const first = yield* givenClock({ dueAt: at(30) })
          assert.isNull(yield* clocks.due(at(29)))
          assert.deepStrictEqual(yield* clocks.due(at(30)), first)
          assert.deepStrictEqual(yield* clocks.due(at(99)), first)
          assert.deepStrictEqual(yield* clocks.nextDue(), at(30))
          assert.deepStrictEqual(yield* clocks.find(second.automationId), second)
          return first
        }).pipe(inside(one))
        yield* Effect.gen(function* () {
          assert.isNull(yield* clocks.nextDue())
          assert.isNull(yield* clocks.due(at(99)))
          assert.isNull(yield* clocks.find(first.automationId))
          yield* transact(clocks.remove(first.automationId))
          assert.isFalse(yield* transact(clocks.advance(first, { ...first, dueAt: at(60) })))
        }).pipe(inside(other))
        assert.deepStrictEqual(yield* clocks.find(first.automationId).pipe(inside(one)), first)
      })
    )

    it.effect("advances a clock only if it is unchanged", () =>
      Effect.gen(function* () {
        const clocks = yield* AutomationClocks
        yield* Effect.gen(function* () {
          const clock = yield* givenClock()
          const begun = { ...clock, after: freshId(ContactId) }
          assert.isTrue(yield* transact(clocks.advance(clock, begun)))
          assert.isFalse(yield* transact(clocks.advance(clock, begun)))
          assert.deepStrictEqual(yield* clocks.find(clock.automationId), begun)
          const next = { ...clock, dueAt: at(15) }
          assert.isTrue(yield* transact(clocks.advance(begun, next)))
          assert.isFalse(yield* transact(clocks.advance(begun, clock)))
          assert.deepStrictEqual(yield* clocks.find(clock.automationId), next)
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("replaces and removes the clock of an automation, also with the automation", () =>
      Effect.gen(function* () {
        const clocks = yield* AutomationClocks
        yield* Effect.gen(function* () {
          const clock = yield* givenClock({ after: freshId(ContactId) })
          yield* set({ ...clock, dueAt: at(5), after: null })
          assert.deepStrictEqual(yield* clocks.find(clock.automationId), { ...clock, dueAt: at(5), after: null })
          yield* transact(clocks.remove(clock.automationId))
          assert.isNull(yield* clocks.find(clock.automationId))
          yield* set(clock)
          yield* transact((yield* Automations).remove(clock.automationId, null))
          assert.isNull(yield* clocks.find(clock.automationId))
        }).pipe(inside(yield* givenOrganization()))
      })
    )
  }
}

export const automationClocksContract = runContract(automationClocks)
