import { assert, describe, it } from "@effect/vitest"
import type { ChatSimulatorOptions, RunningChatSimulator } from "@parley/simulators/chat"
import { DateTime, Effect } from "effect"
import {
  ada,
  at,
  bob,
  businessId,
  call,
  kept,
  pass,
  phoneId,
  sendPath,
  simulator,
  statesOf,
  statusesOf,
  text
} from "./harness.ts"

const hour = 3_600_000

const quick = (options: ChatSimulatorOptions = {}) => simulator({ ...kept, pairMillis: 0, ...options })

const send = (provider: RunningChatSimulator, to = ada, more: object = {}) =>
  Effect.tap(call(provider, sendPath, text(to, more)), () => pass(provider, 1_000))

const template = (category: string) =>
  Effect.fnUntraced(function* (provider: RunningChatSimulator, to = ada) {
    const components = [{ type: "BODY", text: `Hello from ${category}` }]
    const name = category.toLowerCase()
    yield* call(provider, `/${businessId}/message_templates`, { name, language: "en_US", category, components })
    yield* pass(provider, 1_000)
    return yield* send(provider, to, {
      type: "template",
      text: undefined,
      template: { name, language: { code: "en_US" } }
    })
  })

const pricing = (provider: RunningChatSimulator) =>
  statusesOf(provider)
    .filter((status) => at(status, "status") === "sent")
    .map((status) => [
      at(status, "pricing", "type"),
      at(status, "pricing", "category"),
      at(status, "pricing", "billable")
    ])

const until = "2026-09-30T12:00:00Z"
const since = "2026-10-01T12:00:00Z"
const time = (text: string) => DateTime.toEpochMillis(DateTime.makeUnsafe(text))

describe("The receipts of the simulated provider", () => {
  it.live("have a conversation outside of free entry points only until v23.0", () =>
    Effect.gen(function* () {
      for (const [webhookVersion, expected] of [
        ["v23.0", ["id", "origin", "expiration_timestamp"]],
        ["v24.0", []]
      ] as const) {
        const provider = yield* quick({ webhookVersion })
        yield* template("MARKETING")(provider)
        const sent = statusesOf(provider).find((status) => at(status, "status") === "sent")
        assert.sameMembers(Object.keys(Object(at(sent, "conversation"))), [...expected])
        assert.strictEqual(at(sent, "conversation", "origin", "type"), expected.length === 0 ? undefined : "marketing")
      }
    })
  )

  it.live("go to all accounts that hold the number, as its messages do", () =>
    Effect.gen(function* () {
      const provider = yield* quick()
      const number = { phoneId: "203", businessId, otherBusinessIds: ["103"], displayPhone: "15550100003" }
      provider.addNumber({ ...number, accessToken: "simulator-token" })
      provider.write("203", ada, { type: "text", text: "Hi" })
      yield* call(provider, "/203/messages", text(ada))
      yield* pass(provider, 1_000)
      const result = provider.deliveries().flatMap(({ body }) => {
        const value: unknown = at(JSON.parse(body), "entry", 0, "changes", 0, "value")
        const part = at(value, "messages") === undefined ? at(value, "statuses", 0, "status") : "message"
        return [[at(JSON.parse(body), "entry", 0, "id"), part]]
      })
      for (const account of [businessId, "103"]) {
        assert.sameMembers(
          result.filter(([id]) => id === account).map(([, part]) => part),
          ["message", "sent", "delivered", "read"]
        )
      }
    })
  )

  it.live("charge messages in the window since October 2026", () =>
    Effect.gen(function* () {
      for (const [start, free] of [
        [until, true],
        [since, false]
      ] as const) {
        const provider = yield* quick({ startAt: time(start) })
        provider.write(phoneId, ada, { type: "text", text: "Hi" })
        yield* send(provider)
        yield* template("UTILITY")(provider)
        yield* template("MARKETING")(provider)
        const inWindow = free ? "free_customer_service" : "regular"
        assert.deepStrictEqual(pricing(provider), [
          [inWindow, "service", !free],
          [inWindow, "utility", !free],
          ["regular", "marketing", true]
        ])
      }
    })
  )

  it.live("have a free entry point for 72 hours from the reply to an advertisement", () =>
    Effect.gen(function* () {
      const provider = yield* quick()
      provider.write(phoneId, ada, { type: "text", text: "Hi" }, { fromAdvertisement: true })
      yield* pass(provider, 23 * hour)
      yield* send(provider)
      yield* pass(provider, 71 * hour)
      yield* template("MARKETING")(provider)
      yield* pass(provider, hour)
      yield* send(provider, ada, {
        type: "template",
        text: undefined,
        template: { name: "marketing", language: { code: "en_US" } }
      })
      assert.deepStrictEqual(
        pricing(provider).map(([type]) => type),
        ["free_entry_point", "free_entry_point", "regular"]
      )
      const sent = statusesOf(provider).filter((status) => at(status, "status") === "sent")
      assert.deepStrictEqual(
        sent.map((status) => at(status, "conversation", "expiration_timestamp") !== undefined),
        [true, true, false]
      )
      yield* send(provider)
      assert.strictEqual(statesOf(provider).at(-1), "failed 131047")
    })
  )

  it.live("of a reaction end with sent; one to a reaction, in a closed window or to an old message fails", () =>
    Effect.gen(function* () {
      const provider = yield* quick()
      const id = provider.write(phoneId, ada, { type: "text", text: "Hi" })
      const react = (message: string) =>
        send(provider, ada, { type: "reaction", text: undefined, reaction: { message_id: message, emoji: "👍" } })
      yield* react(id)
      yield* react(provider.accepted()[0]?.id ?? "")
      yield* pass(provider, 31 * 24 * hour)
      yield* react(id)
      provider.write(phoneId, ada, { type: "text", text: "Hi" })
      yield* react(id)
      assert.deepStrictEqual(statesOf(provider), ["sent", "failed 131009", "failed 131047", "failed 131009"])
    })
  )

  it.live("of a voice message end with played", () =>
    Effect.gen(function* () {
      const provider = yield* quick()
      provider.write(phoneId, ada, { type: "text", text: "Hi" })
      yield* send(provider, ada, {
        type: "audio",
        text: undefined,
        audio: { link: "https://x.test/a.ogg", voice: true }
      })
      assert.deepStrictEqual(statesOf(provider), ["sent", "delivered", "read", "played"])
    })
  )

  it.live("wait for a phone that is off, until the message expires", () =>
    Effect.gen(function* () {
      const provider = yield* quick()
      for (const customer of [ada, bob]) {
        provider.write(phoneId, customer, { type: "text", text: "Hi" })
        provider.act({ act: "set_customer", customer, isOnline: false })
        yield* send(provider, customer)
      }
      yield* pass(provider, 29 * 24 * hour)
      provider.act({ act: "set_customer", customer: ada, isOnline: true })
      yield* pass(provider, 2 * 24 * hour)
      provider.act({ act: "set_customer", customer: bob, isOnline: true })
      assert.deepStrictEqual(statesOf(provider), ["sent", "sent", "delivered", "read"])
    })
  )

  it.live("have the id that the provider has for a number", () =>
    Effect.gen(function* () {
      const provider = yield* quick()
      for (const [to, waId] of [
        ["+52 55 1234-5678", "5215512345678"],
        ["+55 (31) 98765-4321", "553187654321"],
        ["(650) 555-1234", "16505551234"],
        ["16505551234", "116505551234"]
      ] as const) {
        const { body } = yield* send(provider, to === "16505551234" ? "" : to, { to })
        assert.strictEqual(at(JSON.parse(body), "contacts", 0, "wa_id"), waId)
      }
    })
  )
})

describe("A message to the simulated provider", () => {
  it.live("is refused by the limit, restrictions and state of its account", () =>
    Effect.gen(function* () {
      const provider = yield* quick()
      const send = template("UTILITY")
      const account = { businessId }
      provider.act({ act: "set_account", ...account, messagingLimit: "TIER_50" })
      for (let index = 0; index < 50; index += 1) yield* send(provider, `+4917000000${10 + index}`)
      assert.strictEqual((yield* send(provider, "+491700000099")).code, 131_048)
      assert.isNull((yield* send(provider, "+491700000010")).code)
      provider.act({ act: "set_account", ...account, messagingLimit: "TIER_2K" })
      const restrictions = [{ type: "RESTRICTED_BIZ_INITIATED_MESSAGING", expiration: null }]
      provider.act({ act: "restrict", ...account, restrictions })
      assert.strictEqual((yield* send(provider)).code, 368)
      provider.write(phoneId, ada, { type: "text", text: "Hi" })
      assert.isNull((yield* send(provider)).code)
      provider.act({ act: "restrict", ...account, restrictions: [] })
      provider.act({ act: "set_account", ...account, hasPaymentMethod: false })
      assert.isNull((yield* send(provider)).code)
      assert.strictEqual(statesOf(provider).at(-1), "failed 131042")
      provider.act({ act: "ban", ...account, state: "DISABLE" })
      assert.strictEqual((yield* send(provider)).code, 131_031)
    })
  )

  it.live("of marketing needs the account to be onboarded for its own call", () =>
    Effect.gen(function* () {
      const provider = yield* quick()
      yield* template("MARKETING")(provider)
      const message = text(ada, {
        type: "template",
        text: undefined,
        template: { name: "marketing", language: { code: "en_US" } }
      })
      const post = Effect.map(call(provider, `/${phoneId}/marketing_messages`, message), ({ code }) => code)
      assert.strictEqual(yield* post, 134_102)
      provider.act({ act: "set_account", businessId, marketingOnboarding: "ONBOARDED" })
      assert.strictEqual(yield* post, 134_101)
      yield* pass(provider, 600_000)
      assert.isNull(yield* post)
      yield* pass(provider, 1_000)
      assert.deepStrictEqual(pricing(provider).at(-1), ["regular", "marketing_lite", true])
      assert.strictEqual((yield* call(provider, `/${phoneId}/marketing_messages`, text(ada))).code, 134_100)
    })
  )

  it.live("of marketing reaches a user as often as the provider allows", () =>
    Effect.gen(function* () {
      const provider = yield* quick({ marketingPerUser: 1 })
      yield* template("MARKETING")(provider)
      yield* send(provider, ada, {
        type: "template",
        text: undefined,
        template: { name: "marketing", language: { code: "en_US" } }
      })
      assert.strictEqual(statesOf(provider).at(-1), "failed 131049")
    })
  )
})
