import { assert, describe } from "@effect/vitest"
import {
  ChatChannels,
  type Remedy,
  type ProviderRefusal,
  getChatAccount,
  refreshNumbers,
  updateAccountStatus
} from "@parley/domain/messaging"
import { asOperatorOf, givenOrganization, MemoryChat } from "@parley/testkit"
import { DateTime, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { traced } from "../../crm/traces.ts"
import { givenConnected, test } from "./given.ts"

const given = Effect.gen(function* () {
  const organization = yield* givenOrganization()
  const account = yield* givenConnected(organization)
  const inside = asOperatorOf(organization)
  const script = yield* MemoryChat.ChatScript
  return {
    account,
    inside,
    script,
    refusal: Effect.fnUntraced(function* (remedy: Remedy) {
      const refusal: ProviderRefusal = { remedy, code: 131_048, reason: "Spam.", at: yield* DateTime.now }
      yield* inside(updateAccountStatus(account.id, refusal))
    }),
    refresh: Effect.map(traced(organization, inside(refreshNumbers)), ({ events }) => events.map(({ type }) => type)),
    read: getChatAccount({ id: account.id }).pipe(inside)
  }
})

describe("the state of a number", () => {
  test("is read again after a day", () =>
    Effect.gen(function* () {
      const { account, read, refresh, script } = yield* given
      yield* script.setHealth(account.externalPhoneId, { quality: "red" })
      yield* TestClock.adjust("23 hours")
      assert.deepStrictEqual(yield* refresh, [])
      yield* TestClock.adjust("2 hours")
      assert.deepStrictEqual(yield* refresh, ["chat_account.updated"])
      assert.strictEqual((yield* read).qualityRating, "red")
      assert.deepStrictEqual(yield* refresh, [])
    }))

  test("is no change of the account if it is the same", () =>
    Effect.gen(function* () {
      const { account, read, refresh } = yield* given
      yield* TestClock.adjust("25 hours")
      yield* refresh
      const before = yield* read
      yield* TestClock.adjust("25 hours")
      assert.deepStrictEqual(yield* refresh, [])
      const after = yield* read
      assert.strictEqual(after.version, before.version)
      assert.deepStrictEqual([after.updatedAt, after.lastCheckedAt], [before.updatedAt, yield* DateTime.now])
      assert.deepStrictEqual(after.id, account.id)
    }))

  test("stays without an answer of the provider", () =>
    Effect.gen(function* () {
      const { account, read, refresh, script } = yield* given
      yield* script.forget(account.externalPhoneId)
      yield* TestClock.adjust("25 hours")
      assert.deepStrictEqual(yield* refresh, [])
      const { lastCheckedAt, lastError, status } = yield* read
      assert.deepStrictEqual([status, lastError], ["connected", null])
      // The next attempt is a day later.
      assert.deepStrictEqual(lastCheckedAt, yield* DateTime.now)
    }))

  test("is not awaited for longer than ten seconds", () =>
    Effect.gen(function* () {
      const { inside, read } = yield* given
      const before = yield* read
      yield* TestClock.adjust("25 hours")
      const attemptedAt = yield* DateTime.now
      const silent = Array.from(yield* ChatChannels, ([provider, channel]) => {
        const checking = channel.checking === null ? null : { ...channel.checking, check: () => Effect.never }
        return [provider, { ...channel, checking }] as const
      })
      const refreshing = inside(refreshNumbers).pipe(Effect.provideService(ChatChannels, new Map(silent)))
      const fiber = yield* Effect.forkChild(refreshing, { startImmediately: true })
      yield* TestClock.adjust("10 seconds")
      yield* Fiber.join(fiber)
      const { lastCheckedAt, version } = yield* read
      assert.deepStrictEqual([lastCheckedAt, version], [attemptedAt, before.version])
    }))

  test("does not end a degradation for another reason", () =>
    Effect.gen(function* () {
      const { account, read, refresh, refusal, script } = yield* given
      yield* refusal("stop_campaigns")
      yield* script.setHealth(account.externalPhoneId, { quality: "yellow" })
      yield* TestClock.adjust("25 hours")
      yield* refresh
      const { lastError, qualityRating, status } = yield* read
      assert.deepStrictEqual([status, lastError?.code, qualityRating], ["degraded", 131_048, "yellow"])
    }))
})
