import { assert } from "@effect/vitest"
import { Conversation, SnoozeTimers } from "@parley/domain/messaging"
import { Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { inNewOrganization } from "../../crm/given.ts"
import { givenConversation, minutes, saveConversations } from "./given.ts"

export const snoozeTimers: StorageContract = {
  port: "SnoozeTimers",
  promises: (it) => {
    it.effect("finds due snoozed conversations, the longest overdue first, and the time of the next one", () =>
      Effect.gen(function* () {
        const clock = yield* SnoozeTimers
        yield* inNewOrganization(
          Effect.gen(function* () {
            assert.deepStrictEqual(yield* clock.due(minutes(100), 10), [])
            assert.isNull(yield* clock.nextDue())
          })
        )
        const snoozed = (at: number) => givenConversation({ status: "snoozed", snoozedUntil: minutes(at) })
        yield* inNewOrganization(Effect.all([snoozed(-40), snoozed(-15)]))
        yield* inNewOrganization(
          Effect.gen(function* () {
            const [second, first, third, later] = yield* Effect.all([
              snoozed(-20),
              snoozed(-30),
              snoozed(-10),
              snoozed(1)
            ])
            assert.deepStrictEqual(yield* clock.due(minutes(-10), 100), [first.id, second.id, third.id])
            assert.deepStrictEqual(yield* clock.due(minutes(-10), 2), [first.id, second.id])
            assert.deepStrictEqual(yield* clock.nextDue(), minutes(-30))
            yield* saveConversations([
              new Conversation({ ...first, status: "open", snoozedUntil: null }),
              new Conversation({ ...second, status: "open", snoozedUntil: null }),
              new Conversation({ ...third, snoozedUntil: minutes(2) })
            ])
            assert.deepStrictEqual(yield* clock.due(minutes(1), 100), [later.id])
            assert.deepStrictEqual(yield* clock.nextDue(), minutes(1))
          })
        )
      })
    )
  }
}

/** Checks an adapter against the contract of `SnoozeTimers`. */
export const snoozeTimersContract = runContract(snoozeTimers)
