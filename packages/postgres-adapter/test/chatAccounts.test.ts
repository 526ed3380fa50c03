import { assert, describe, it } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { ChatAccount, ChatAccountId, ChatAccounts, ChatNumbers } from "@parley/domain/messaging"
import { asOperatorOf, givenOrganization } from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { givenNodes, onAll } from "./support/nodes.ts"

const noon = DateTime.makeUnsafe("2026-03-01T12:00:00Z")

const sealed = {
  accessToken: "sealed token",
  appSecret: null,
  formerAppSecret: null,
  verifyToken: null,
  pin: null,
  pendingPin: null
}

const numbered = (externalPhoneId: string) =>
  new ChatAccount({
    id: ChatAccountId.make(SecureRandom.uuidV7Unsafe()),
    provider: "whatsapp",
    mode: "platform_app",
    displayName: "Bakery",
    phone: null,
    externalAccountId: "102290129340398",
    externalPhoneId,
    url: null,
    status: "connected",
    qualityRating: "unknown",
    messagingLimit: null,
    throughputPerSecond: null,
    lastCheckedAt: null,
    lastError: null,
    createdAt: noon,
    updatedAt: noon,
    version: 1
  })

describe("numbers of the platform app, on two processes", () => {
  it.effect(
    "only the first of many organizations that connect a number concurrently gets it",
    () =>
      Effect.gen(function* () {
        const nodes = yield* givenNodes(2)
        const [one = assert.fail()] = nodes
        const organizations = yield* Effect.replicateEffect(givenOrganization(), 6).pipe(Effect.provide(one))
        const numbers = ["1001", "1002", "1003", "1004"]
        const answers = yield* onAll(nodes, organizations.length * numbers.length, (index) =>
          Effect.flatMap(ChatAccounts, (accounts) =>
            transact(accounts.insert(numbered(numbers[index % numbers.length] ?? assert.fail()), sealed))
          ).pipe(
            Effect.match({ onSuccess: () => "connected", onFailure: ({ _tag }) => _tag }),
            asOperatorOf(organizations[Math.floor(index / numbers.length)] ?? assert.fail())
          )
        )
        assert.deepStrictEqual(answers.toSorted(), [
          ...Array.from({ length: (organizations.length - 1) * numbers.length }, () => "NumberConnectedElsewhere"),
          ...numbers.map(() => "connected")
        ])
        const owners = yield* Effect.flatMap(ChatNumbers, (all) =>
          all.ownersOf("whatsapp", [{ businessId: "102290129340398", phoneId: null }])
        ).pipe(Effect.provide(one))
        assert.deepStrictEqual(owners.map(({ phoneId }) => phoneId).toSorted(), numbers)
      }).pipe(Effect.scoped),
    60_000
  )
})
