import { assert } from "@effect/vitest"
import { ChatAccount, ChatAccounts, ChatNumbers } from "@parley/domain/messaging"
import { Effect, Exit } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { givenOrganization, inside } from "../../given.ts"
import { givenAccount, newAccount, removeAccount, reviveAccount, insertAccount } from "./given.ts"

export const platformAppNumbers: StorageContract = {
  port: "ChatAccounts (platform app)",
  promises: (it) => {
    it.effect("gives a number of the platform app to the first of several concurrent revivals and connections", () =>
      Effect.gen(function* () {
        const organizations = yield* Effect.replicateEffect(givenOrganization(), 6)
        const { externalPhoneId } = newAccount()
        const former = yield* Effect.forEach(organizations, (organization) =>
          givenAccount({ externalPhoneId }).pipe(
            Effect.tap((account) => removeAccount(account)),
            inside(organization)
          )
        )
        const newcomers = yield* Effect.replicateEffect(givenOrganization(), 6)
        const answers = yield* Effect.all(
          [
            ...former.map((account, index) =>
              reviveAccount(new ChatAccount({ ...account, mode: "platform_app" })).pipe(
                inside(organizations[index] ?? assert.fail()),
                Effect.match({ onSuccess: () => "connected", onFailure: ({ _tag }) => _tag })
              )
            ),
            ...newcomers.map((organization) =>
              insertAccount(newAccount({ mode: "platform_app", externalPhoneId })).pipe(
                inside(organization),
                Effect.match({ onSuccess: () => "connected", onFailure: ({ _tag }) => _tag })
              )
            )
          ],
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(answers.toSorted(), [
          ...Array.from({ length: 11 }, () => "NumberConnectedElsewhere"),
          "connected"
        ])
        const owners = yield* Effect.flatMap(ChatNumbers, (numbers) =>
          numbers.ownersOf("whatsapp", [{ businessId: "", phoneId: externalPhoneId }])
        )
        assert.lengthOf(owners, 1)
      })
    )

    it.effect("gives a number of the platform app to the first of several concurrent connections", () =>
      Effect.gen(function* () {
        const organizations = yield* Effect.replicateEffect(givenOrganization(), 6)
        const externalPhoneId = newAccount().externalPhoneId
        const exits = yield* Effect.forEach(
          organizations,
          (organization) =>
            Effect.exit(
              insertAccount(newAccount({ mode: "platform_app", externalPhoneId })).pipe(inside(organization))
            ),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(exits.filter(Exit.isSuccess), 1)
      })
    )

    it.effect("finds the organizations of numbers of the platform app, and of no other app", () =>
      Effect.gen(function* () {
        const numbers = yield* ChatNumbers
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const mine = yield* givenAccount({ mode: "platform_app" }).pipe(inside(one))
        const theirs = yield* givenAccount({ mode: "platform_app" }).pipe(inside(other))
        const own = yield* givenAccount().pipe(inside(other))
        const asked = [
          { businessId: mine.externalAccountId, phoneId: mine.externalPhoneId },
          { businessId: theirs.externalAccountId, phoneId: null },
          { businessId: own.externalAccountId, phoneId: own.externalPhoneId },
          { businessId: "nobody", phoneId: "nobody" }
        ]
        const owners = yield* numbers.ownersOf("whatsapp", asked)
        assert.deepStrictEqual(
          owners.map(({ organizationId, phoneId }) => [organizationId, phoneId]).toSorted(),
          [
            [one.id, mine.externalPhoneId],
            [other.id, theirs.externalPhoneId]
          ].toSorted()
        )
        assert.lengthOf(yield* numbers.ownersOf("whatsapp", []), 0)
        const payer = mine.messagingAccountId ?? ""
        const paid = yield* numbers.ownersOf("whatsapp", [{ businessId: payer, phoneId: null }])
        assert.deepStrictEqual(paid, [{ organizationId: one.id, businessId: payer, phoneId: mine.externalPhoneId }])
      })
    )

    it.effect("gives the secrets of the organization's own apps only", () =>
      Effect.gen(function* () {
        const accounts = yield* ChatAccounts
        yield* Effect.gen(function* () {
          const own = yield* givenAccount()
          yield* givenAccount({ mode: "platform_app" })
          assert.deepStrictEqual(
            (yield* accounts.ownAppSecrets()).map(({ id }) => id),
            [own.id]
          )
        }).pipe(inside(yield* givenOrganization()))
      })
    )
  }
}

/** Checks an adapter against the contract of numbers of the platform app. */
export const platformAppNumbersContract = runContract(platformAppNumbers)
