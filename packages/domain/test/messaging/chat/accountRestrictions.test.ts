import { assert, describe } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import {
  applyAccountUpdates,
  applyNotices,
  type ChatAccountRestriction,
  connectThroughPlatformApp,
  dailyLimitOf,
  getChatAccount,
  type InboundEvent,
  restoreUnrestrictedAccounts
} from "@parley/domain/messaging"
import { asOperatorOf, givenOrganization, MemoryChat, TestKit } from "@parley/testkit"
import { DateTime, Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { traced } from "../../crm/traces.ts"
import { givenConnected, test } from "./given.ts"

type Update = Extract<InboundEvent, { readonly kind: "account" }>

const update = (fields: Partial<Update>): Update => ({
  kind: "account",
  businessId: "business-1",
  event: "ACCOUNT_RESTRICTION",
  sending: null,
  reason: null,
  ...fields
})

const given = Effect.gen(function* () {
  const organization = yield* givenOrganization({ plan: "scale" })
  const inside = asOperatorOf(organization)
  const account = yield* givenConnected(organization)
  const read = getChatAccount({ id: account.id }).pipe(inside)
  const tell = (...updates: ReadonlyArray<Update>) =>
    traced(organization, transact(applyAccountUpdates("whatsapp", updates)).pipe(inside))
  return { account, inside, organization, read, tell }
})

describe("the access of the app to an account", () => {
  test("ends with the reason of the provider, and returns with the next report of it", () =>
    Effect.gen(function* () {
      const { read, tell } = yield* given
      const lost = { event: "PARTNER_REMOVED", connection: "lost", reason: "PRIMARY_INACTIVITY" } as const
      yield* tell(update(lost))
      const { lastError, status } = yield* read
      assert.deepStrictEqual(
        [status, lastError],
        ["disconnected", { code: null, reason: "PARTNER_REMOVED: PRIMARY_INACTIVITY" }]
      )
      yield* tell(update({ event: "DISABLED_UPDATE", sending: "stopped" }))
      assert.strictEqual((yield* read).status, "disconnected")
      const { events } = yield* tell(update({ event: "ACCOUNT_RECONNECTED", connection: "restored" }))
      assert.deepStrictEqual([(yield* read).status, (yield* read).lastError], ["connected", null])
      assert.include(
        events.map(({ type }) => type),
        "chat_account.status_changed"
      )
    }))

  test("ends for the named number only", () =>
    Effect.gen(function* () {
      const { account, inside, organization, tell } = yield* given
      const sister = yield* givenConnected(organization, { externalPhoneId: "phone-2" })
      yield* tell(update({ event: "PARTNER_REMOVED", connection: "lost", displayPhone: "+4915100000000" }))
      const statuses = Effect.forEach([account, sister], ({ id }) =>
        Effect.map(getChatAccount({ id }), ({ status }) => status)
      )
      assert.deepStrictEqual(yield* statuses.pipe(inside), ["connected", "connected"])
    }))
})

describe("the access of another app", () => {
  test("changes no account of the platform app", () =>
    Effect.gen(function* () {
      const { inside, tell } = yield* given
      yield* (yield* MemoryChat.ChatScript).addSignupCode("code-1", "platform-token-1")
      const { id } = yield* connectThroughPlatformApp({
        code: Redacted.make("code-1"),
        externalAccountId: "business-1",
        externalPhoneId: "phone-7"
      }).pipe(inside)
      const status = Effect.map(getChatAccount({ id }), (account) => account.status).pipe(inside)
      const lost = { event: "PARTNER_APP_UNINSTALLED", connection: "lost" } as const
      yield* tell(update({ ...lost, appId: "300000000000009" }))
      assert.strictEqual(yield* status, "connected")
      yield* tell(update({ ...lost, appId: TestKit.testPlatformApp.appId }))
      assert.strictEqual(yield* status, "disconnected")
    }))
})

describe("restrictions of an account", () => {
  test("replace the former ones, and degrade the account only where they stop messages", () =>
    Effect.gen(function* () {
      const { read, tell } = yield* given
      const calls: ChatAccountRestriction = {
        type: "RESTRICTED_BUSINESS_INITIATED_CALLING",
        scopes: ["business_initiated_calls"],
        expiresAt: null
      }
      const messages: ChatAccountRestriction = {
        type: "RESTRICTED_BIZ_INITIATED_MESSAGING",
        scopes: ["business_initiated_messages"],
        expiresAt: DateTime.makeUnsafe("2026-04-19T13:59:20Z")
      }
      yield* tell(update({ restrictions: [calls] }))
      assert.deepStrictEqual([(yield* read).status, (yield* read).restrictions], ["connected", [calls]])
      yield* tell(update({ restrictions: [messages], sending: "stopped" }))
      assert.deepStrictEqual([(yield* read).status, (yield* read).restrictions], ["degraded", [messages]])
      assert.strictEqual((yield* read).lastError?.cause, "restriction")
    }))

  test("do not end another degradation with the same text", () =>
    Effect.gen(function* () {
      const { read, tell } = yield* given
      const type = "RESTRICTED_BIZ_INITIATED_MESSAGING"
      const scopes = ["business_initiated_messages"] as const
      const expiresAt = DateTime.add(yield* DateTime.now, { hours: 1 })
      yield* tell(update({ restrictions: [{ type, scopes, expiresAt }], sending: "stopped", reason: type }))
      yield* tell(update({ event: "DISABLED_UPDATE", sending: "stopped", reason: type }))
      yield* TestClock.adjust("1 hour")
      yield* restoreUnrestrictedAccounts
      yield* tell(update({ restrictions: [] }))
      const { lastError, status } = yield* read
      assert.deepStrictEqual([status, lastError], ["degraded", { code: null, reason: type }])
    }))

  test("end with the next report without one that stops messages, but another reason stays", () =>
    Effect.gen(function* () {
      const { read, tell } = yield* given
      const type = "RESTRICTED_BIZ_INITIATED_MESSAGING"
      const messages = { type, scopes: ["business_initiated_messages"], expiresAt: null } as const
      const stopped = update({ restrictions: [messages], sending: "stopped", reason: type })
      yield* tell(stopped)
      yield* tell(update({ restrictions: [] }))
      const { lastError, restrictions, status } = yield* read
      assert.deepStrictEqual([status, lastError, restrictions], ["connected", null, []])
      yield* tell(stopped)
      yield* tell(update({ event: "DISABLED_UPDATE", sending: "stopped", reason: "DISABLE" }))
      yield* tell(update({ restrictions: [] }))
      assert.deepStrictEqual([(yield* read).status, (yield* read).lastError?.reason], ["degraded", "DISABLE"])
    }))

  test("end at their time with an event, without a report of the provider", () =>
    Effect.gen(function* () {
      const { account, organization, read, tell } = yield* given
      const type = "RESTRICTED_BIZ_INITIATED_MESSAGING"
      const start = yield* DateTime.now
      const restriction = (scope: ChatAccountRestriction["scopes"][number], hours: number): ChatAccountRestriction => ({
        type: scope === "business_initiated_messages" ? type : `OTHER_${scope}`,
        scopes: [scope],
        expiresAt: DateTime.add(start, { hours })
      })
      const restrictions = [
        restriction("business_initiated_messages", 2),
        restriction("customer_initiated_messages", 1),
        restriction("business_initiated_calls", 9)
      ]
      yield* tell(update({ restrictions, sending: "stopped", reason: type }))
      yield* TestClock.adjust("1 hour")
      yield* restoreUnrestrictedAccounts
      assert.strictEqual((yield* read).status, "degraded")
      yield* TestClock.adjust("1 hour")
      const { events } = yield* traced(organization, restoreUnrestrictedAccounts)
      assert.deepStrictEqual(events, [
        { type: "chat_account.status_changed", chatAccountId: account.id, from: "degraded", to: "connected" },
        { type: "chat_account.updated", chatAccountId: account.id }
      ])
      assert.deepStrictEqual([(yield* read).status, (yield* read).lastError], ["connected", null])
      assert.deepStrictEqual((yield* traced(organization, restoreUnrestrictedAccounts)).events, [])
    }))

  test("do not end by the clock without a time, or where the account is degraded for another reason", () =>
    Effect.gen(function* () {
      const { read, tell } = yield* given
      const type = "RESTRICTED_BIZ_INITIATED_MESSAGING"
      const messages = { type, scopes: ["business_initiated_messages"] } as const
      const stopped = { sending: "stopped", reason: type } as const
      yield* tell(update({ ...stopped, restrictions: [{ ...messages, expiresAt: null }] }))
      yield* TestClock.adjust("30 days")
      yield* restoreUnrestrictedAccounts
      assert.strictEqual((yield* read).status, "degraded")
      const expiresAt = DateTime.add(yield* DateTime.now, { hours: 1 })
      yield* tell(update({ ...stopped, restrictions: [{ ...messages, expiresAt }] }))
      yield* tell(update({ event: "DISABLED_UPDATE", sending: "stopped", reason: "DISABLE" }))
      yield* TestClock.adjust("1 hour")
      yield* restoreUnrestrictedAccounts
      assert.deepStrictEqual([(yield* read).status, (yield* read).lastError?.reason], ["degraded", "DISABLE"])
    }))

  test("are reported as a notice where they change nothing", () =>
    Effect.gen(function* () {
      const { account, inside, organization, tell } = yield* given
      const notice = { type: "chat_account.notice", chatAccountId: account.id } as const
      assert.deepStrictEqual((yield* tell(update({ event: "ACCOUNT_VIOLATION", reason: "ADULT" }))).events, [
        { ...notice, topic: "account", event: "ACCOUNT_VIOLATION", detail: "ADULT" }
      ])
      const result = {
        businessId: "business-1",
        phoneId: "phone-1",
        displayPhone: null,
        event: "PIN_CHANGED",
        detail: null
      }
      const { events } = yield* traced(
        organization,
        transact(
          applyNotices("whatsapp", [
            { ...result, topic: "security" },
            { ...result, phoneId: "phone-2", topic: "security" },
            { ...result, businessId: "business-2", topic: "security" }
          ])
        ).pipe(inside)
      )
      assert.deepStrictEqual(events, [{ ...notice, topic: "security", event: "PIN_CHANGED", detail: null }])
    }))
})

describe("the daily limit", () => {
  test("is the initial one until the provider sets a limit", () =>
    Effect.sync(() => {
      const limits = ["TIER_NOT_SET", "TIER_250", "TIER_2K", "2000", "TIER_UNLIMITED", null].map((messagingLimit) =>
        dailyLimitOf({ messagingLimit })
      )
      assert.deepStrictEqual(limits, [250, 250, 2_000, 2_000, null, null])
    }))
})
