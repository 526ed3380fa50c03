import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { ContactId } from "@parley/domain/crm"
import { AutomationId, type TriggerCall, TriggerCallId, TriggerCalls } from "@parley/domain/automation"
import { DateTime, Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { freshId, givenOrganization, inside } from "../../given.ts"

const at = (minutes: number) => DateTime.add(DateTime.makeUnsafe("2026-11-20T09:00:00.250Z"), { minutes })

const newCall = (overrides: Partial<TriggerCall> = {}): TriggerCall => ({
  id: freshId(TriggerCallId),
  automationId: freshId(AutomationId),
  contactId: freshId(ContactId),
  data: { z: 1, plan: "pro “\\ 🎉", nested: { list: [true, null, 0.5] } },
  at: at(0),
  ...overrides
})

const add = Effect.fnUntraced(function* (call: TriggerCall) {
  return yield* transact((yield* TriggerCalls).add(call))
})

export const triggerCalls: StorageContract = {
  port: "TriggerCalls",
  promises: (it) => {
    it.effect("keeps the first call with an id, in its organization only", () =>
      Effect.gen(function* () {
        const calls = yield* TriggerCalls
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const call = newCall()
        yield* Effect.gen(function* () {
          assert.isNull(yield* calls.find(call.id))
          assert.isTrue(yield* add(call))
          assert.isFalse(yield* add({ ...call, data: { plan: "free" } }))
          assert.deepStrictEqual(yield* calls.find(call.id), call)
        }).pipe(inside(one))
        yield* Effect.gen(function* () {
          assert.isNull(yield* calls.find(call.id))
          yield* transact(calls.forget([call.contactId]))
          assert.strictEqual(yield* calls.sweep(at(9), 9), 0)
        }).pipe(inside(other))
        assert.deepStrictEqual(yield* calls.find(call.id).pipe(inside(one)), call)
      })
    )

    it.effect("deletes the calls of contacts, and old calls, some at a time", () =>
      Effect.gen(function* () {
        const calls = yield* TriggerCalls
        yield* Effect.gen(function* () {
          const contactId = freshId(ContactId)
          const [gone, old, older, fresh] = [
            newCall({ contactId }),
            newCall({ at: at(2) }),
            newCall({ at: at(1) }),
            newCall({ at: at(5) })
          ]
          for (const call of [gone, old, older, fresh]) yield* add(call)
          yield* transact(calls.forget([contactId, freshId(ContactId)]))
          assert.isNull(yield* calls.find(gone.id))
          assert.strictEqual(yield* calls.sweep(at(5), 1), 1)
          assert.strictEqual(yield* calls.sweep(at(5), 9), 1)
          assert.isNull(yield* calls.find(old.id))
          assert.deepStrictEqual(yield* calls.find(fresh.id), fresh)
        }).pipe(inside(yield* givenOrganization()))
      })
    )
  }
}

export const triggerCallsContract = runContract(triggerCalls)
