import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { ContactId } from "@parley/domain/crm"
import { type ActionEffect, ActionEffects, AutomationRunId } from "@parley/domain/automation"
import { DateTime, Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { freshId, givenOrganization, inside } from "../../given.ts"

const at = (minutes: number) => DateTime.add(DateTime.makeUnsafe("2026-11-20T09:00:00.250Z"), { minutes })

const note = { kind: "note", id: "1" } as const

export const actionEffects: StorageContract = {
  port: "ActionEffects",
  promises: (it) => {
    it.effect("keeps the first effect of each run, step and visit, for the organization that it belongs to", () =>
      Effect.gen(function* () {
        const effects = yield* ActionEffects
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const key = { runId: freshId(AutomationRunId), step: "0", visit: 1 }
        const add = (input: Partial<typeof key>, id: string) =>
          transact(effects.add({ ...key, ...input }, { kind: "message", id }, at(0)))
        yield* Effect.gen(function* () {
          assert.isNull(yield* effects.find(key))
          assert.isTrue(yield* add({}, "first"))
          assert.isFalse(yield* add({}, "second"))
          assert.isTrue(yield* add({ visit: 2 }, "third"))
          assert.isTrue(yield* add({ step: "1" }, "fourth"))
          assert.deepStrictEqual(yield* effects.find(key), { kind: "message", id: "first" })
        }).pipe(inside(one))
        yield* Effect.gen(function* () {
          assert.isNull(yield* effects.find(key))
          assert.isTrue(yield* add({}, "theirs"))
        }).pipe(inside(other))
      })
    )

    it.effect("keeps nothing of a unit of work that fails", () =>
      Effect.gen(function* () {
        const effects = yield* ActionEffects
        const organization = yield* givenOrganization()
        const key = { runId: freshId(AutomationRunId), step: "n1", visit: 1 }
        yield* Effect.gen(function* () {
          yield* Effect.flip(transact(Effect.andThen(effects.add(key, note, at(0)), Effect.fail("no"))))
          assert.isNull(yield* effects.find(key))
        }).pipe(inside(organization))
      })
    )

    it.effect("deletes the effects on some contacts, and no others", () =>
      Effect.gen(function* () {
        const effects = yield* ActionEffects
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const [erased, stays] = [freshId(ContactId), freshId(ContactId)]
        const all: ReadonlyArray<ActionEffect> = [
          { kind: "contact", id: erased },
          { kind: "contact", id: stays },
          { kind: "conversation", id: erased }
        ]
        const runId = freshId(AutomationRunId)
        const keyAt = (index: number) => ({ runId, step: String(index), visit: 1 })
        const add = transact(
          Effect.forEach(all, (effect, index) => effects.add(keyAt(index), effect, at(0)), { discard: true })
        )
        const found = Effect.forEach(all, (_, index) => effects.find(keyAt(index)))
        for (const organization of [one, other]) yield* add.pipe(inside(organization))
        yield* transact(effects.forget([erased])).pipe(inside(one))
        assert.deepStrictEqual(yield* found.pipe(inside(one)), [null, ...all.slice(1)])
        assert.deepStrictEqual(yield* found.pipe(inside(other)), Array.from(all))
      })
    )

    it.effect("forgets what was before, some at a time", () =>
      Effect.gen(function* () {
        const effects = yield* ActionEffects
        const organization = yield* givenOrganization()
        const runId = freshId(AutomationRunId)
        const keys = [0, 1, 2].map((step) => ({ runId, step: String(step), visit: 1 }))
        yield* Effect.gen(function* () {
          yield* transact(
            Effect.forEach(keys, (key) => effects.add(key, note, at(Number(key.step))), { discard: true })
          )
          assert.strictEqual(yield* effects.sweep(at(2), 1), 1)
          assert.strictEqual(yield* effects.sweep(at(2), 5), 1)
          assert.strictEqual(yield* effects.sweep(at(2), 5), 0)
          const left = yield* Effect.forEach(keys, (key) => effects.find(key))
          assert.deepStrictEqual(left, [null, null, note])
        }).pipe(inside(organization))
      })
    )
  }
}

export const actionEffectsContract = runContract(actionEffects)
