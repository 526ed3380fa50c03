import { assert } from "@effect/vitest"
import { ChatAccounts, ChatNumbers } from "@parley/domain/messaging"
import { Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { givenOrganization, inside, outside } from "../../given.ts"
import {
  evening,
  givenAccount,
  morning,
  newAccount,
  plainAccount,
  removeAccount,
  reviveAccount,
  sealed,
  insertAccount,
  saveAccount,
  removedAccounts,
  everyAccount
} from "./given.ts"

export const removedChatAccounts: StorageContract = {
  port: "ChatAccounts (removal and revival)",
  promises: (it) => {
    it.effect("finds nothing of a removed account, and deletes its secrets", () =>
      Effect.gen(function* () {
        const accounts = yield* ChatAccounts
        const numbers = yield* ChatNumbers
        const organization = yield* givenOrganization()
        yield* Effect.gen(function* () {
          const [gone, left] = [yield* givenAccount({ mode: "platform_app" }), yield* givenAccount()]
          yield* removeAccount(gone, 1)
          assert.strictEqual((yield* Effect.flip(accounts.get(gone.id)))._tag, "NotFound")
          const found = [
            yield* accounts.find([gone.id, left.id]),
            yield* accounts.findByNumber("whatsapp", [gone.externalPhoneId, left.externalPhoneId]),
            yield* accounts.findByBusiness("whatsapp", [gone.externalAccountId, left.externalAccountId]),
            yield* accounts.secrets([gone.id, left.id]),
            yield* everyAccount
          ]
          for (const each of found) {
            assert.deepStrictEqual(
              each.map(({ id }) => id),
              [left.id]
            )
          }
          assert.strictEqual(yield* accounts.count(), 1)
          const asked = { businessId: gone.externalAccountId, phoneId: gone.externalPhoneId }
          assert.lengthOf(yield* outside(numbers.ownersOf("whatsapp", [asked, { ...asked, phoneId: null }])), 0)
          for (const expected of [1, 2, null]) {
            assert.strictEqual((yield* Effect.flip(saveAccount(gone, expected)))._tag, "NotFound")
            assert.strictEqual((yield* Effect.flip(removeAccount(gone, expected)))._tag, "NotFound")
          }
          assert.strictEqual((yield* Effect.flip(reviveAccount(left)))._tag, "NotFound")
          assert.deepStrictEqual(
            (yield* removedAccounts).map(({ account, removedAt }) => [plainAccount(account), removedAt]),
            [[{ ...plainAccount(gone), version: 2 }, morning]]
          )
          const again = yield* Effect.flip(insertAccount(newAccount({ externalPhoneId: gone.externalPhoneId })))
          assert.strictEqual(again._tag, "ChatAccountExists")
        }).pipe(inside(organization))
      })
    )

    it.effect("revives an account under its id, with all new values", () =>
      Effect.gen(function* () {
        const accounts = yield* ChatAccounts
        const numbers = yield* ChatNumbers
        const organization = yield* givenOrganization()
        yield* Effect.gen(function* () {
          const before = yield* givenAccount()
          yield* removeAccount(before)
          const after = newAccount({
            ...before,
            mode: "platform_app",
            displayName: "Other",
            phone: "+4930654321",
            externalAccountId: `other-${before.id}`,
            externalPhoneId: `moved-${before.id}`,
            status: "degraded",
            qualityRating: "red",
            messagingLimit: null,
            throughputPerSecond: null,
            lastCheckedAt: evening,
            lastError: null,
            updatedAt: evening,
            version: 7
          })
          yield* reviveAccount(after)
          assert.deepStrictEqual(plainAccount(yield* accounts.get(before.id)), plainAccount(after))
          assert.deepStrictEqual(yield* accounts.secrets([before.id]), [
            { id: before.id, provider: "whatsapp", ...sealed("new") }
          ])
          assert.deepStrictEqual([yield* accounts.count(), yield* removedAccounts], [1, []])
          const owners = yield* outside(
            numbers.ownersOf("whatsapp", [{ businessId: "", phoneId: after.externalPhoneId }])
          )
          assert.deepStrictEqual(
            owners.map(({ organizationId }) => organizationId),
            [organization.id]
          )
          assert.strictEqual((yield* Effect.flip(reviveAccount(after)))._tag, "NotFound")
        }).pipe(inside(organization))
      })
    )
  }
}

/** Checks an adapter against the contract of removed and revived accounts. */
export const removedChatAccountsContract = runContract(removedChatAccounts)
