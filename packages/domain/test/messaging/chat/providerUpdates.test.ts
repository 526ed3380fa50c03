import { assert, describe } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import {
  applyAccountUpdates,
  applyNumberUpdates,
  applyTemplateUpdates,
  ChannelRefused,
  ChannelUnreachable,
  getChatAccount,
  getMessageTemplate,
  type InboundEvent,
  refreshTemplates,
  submitMessageTemplate
} from "@parley/domain/messaging"
import { asOperatorOf, givenOrganization, MemoryChat } from "@parley/testkit"
import { Effect, Stream } from "effect"
import { TestClock } from "effect/testing"
import { traced } from "../../crm/traces.ts"
import { givenConnected, givenDraft, greeting, keptByProvider, test } from "./given.ts"

type News<Kind extends InboundEvent["kind"]> = Extract<InboundEvent, { readonly kind: Kind }>

const aboutTemplate = (input: Partial<News<"template">>): News<"template"> => ({
  kind: "template",
  businessId: "business-1",
  externalId: "elsewhere",
  name: "hello",
  language: "en",
  status: null,
  reason: null,
  quality: null,
  category: null,
  ...input
})

const aboutNumber = (input: Partial<News<"number">>): News<"number"> => ({
  kind: "number",
  businessId: "business-1",
  phoneId: "phone-1",
  displayPhone: null,
  quality: null,
  messagingLimit: null,
  ...input
})

const aboutAccount = (sending: News<"account">["sending"], reason: string | null = null): News<"account"> => ({
  kind: "account",
  businessId: "business-1",
  event: "ACCOUNT_RESTRICTION",
  sending,
  reason
})

/** An organization with two numbers of one business and one of another, and a pending template. */
const givenStage = Effect.gen(function* () {
  const organization = yield* givenOrganization({ plan: "scale" })
  const inside = asOperatorOf(organization)
  const account = yield* givenConnected(organization)
  const sister = yield* givenConnected(organization, { externalPhoneId: "phone-2" })
  const stranger = yield* givenConnected(organization, { externalPhoneId: "phone-3", externalAccountId: "business-2" })
  const draft = yield* givenDraft(organization, account.id)
  const template = yield* submitMessageTemplate({ id: draft.id }).pipe(inside)
  const statuses = Effect.forEach([account, sister, stranger], ({ id }) =>
    Effect.map(getChatAccount({ id }), ({ status }) => status)
  ).pipe(inside)
  return { organization, inside, account, sister, stranger, template, statuses }
})

describe("updates of templates", () => {
  test("tell what the provider has decided, in their order, with one event for each that changed", () =>
    Effect.gen(function* () {
      const { inside, organization, template } = yield* givenStage
      const tell = (...updates: ReadonlyArray<News<"template">>) =>
        traced(organization, transact(applyTemplateUpdates("whatsapp", updates)).pipe(inside))
      const read = getMessageTemplate({ id: template.id }).pipe(inside)
      const refused = yield* tell(
        aboutTemplate({ status: "approved" }),
        aboutTemplate({ status: "rejected", reason: "PROMOTIONAL", category: "marketing" })
      )
      assert.deepStrictEqual(refused.events, [
        { type: "message_template.status_changed", messageTemplateId: template.id, from: "pending", to: "rejected" }
      ])
      const rejected = yield* read
      assert.deepStrictEqual(
        [rejected.status, rejected.rejectionReason, rejected.category],
        ["rejected", "PROMOTIONAL", "marketing"]
      )
      const rated = yield* tell(aboutTemplate({ quality: "yellow" }))
      assert.deepStrictEqual(rated.events, [{ type: "message_template.updated", messageTemplateId: template.id }])
      const after = yield* read
      assert.deepStrictEqual(
        [after.status, after.rejectionReason, after.quality],
        ["rejected", "PROMOTIONAL", "yellow"]
      )
      yield* tell(aboutTemplate({ status: "approved" }))
      assert.strictEqual((yield* read).rejectionReason, null)
      assert.deepStrictEqual((yield* tell(aboutTemplate({ status: "approved" }))).events, [])
    }))

  test("have the templates fetched again where their parts have changed", () =>
    Effect.gen(function* () {
      const { inside, template } = yield* givenStage
      const script = yield* MemoryChat.ChatScript
      const text = "Good day {{1}}, and welcome."
      yield* script.keepTemplate(
        keptByProvider({
          externalId: template.externalId ?? "",
          components: { body: { text, examples: { "1": "Ada" } } }
        })
      )
      const bodyOf = Effect.map(
        getMessageTemplate({ id: template.id }),
        ({ components }) => components.body?.text
      ).pipe(inside)
      yield* transact(applyTemplateUpdates("whatsapp", [aboutTemplate({ hasNewComponents: true })])).pipe(inside)
      yield* refreshTemplates
      assert.strictEqual(yield* bodyOf, template.components.body?.text)
      yield* TestClock.adjust("5 seconds")
      yield* refreshTemplates
      assert.strictEqual(yield* bodyOf, text)
    }))

  test("have them fetched until the provider can be asked, but not with a right that has ended", () =>
    Effect.gen(function* () {
      const { inside } = yield* givenStage
      const channel = yield* MemoryChat.whole
      let asked = 0
      const failing = (failure: ChannelRefused | ChannelUnreachable) => ({
        templates: {
          ...channel.templates,
          list: () =>
            Stream.unwrap(
              Effect.sync(() => {
                asked += 1
                return Stream.fail(failure)
              })
            )
        }
      })
      const unreachable = failing(new ChannelUnreachable())
      const ended = failing(
        new ChannelRefused({ remedy: "reauthorize", code: 190, reason: "It has ended.", retryAfterMillis: null })
      )
      yield* transact(applyTemplateUpdates("whatsapp", [aboutTemplate({ hasNewComponents: true })])).pipe(inside)
      const accounts = 2
      for (const expected of [accounts, 2 * accounts]) {
        yield* TestClock.adjust("1 minute")
        yield* refreshTemplates.pipe(MemoryChat.through(unreachable))
        assert.strictEqual(asked, expected)
      }
      for (const expected of [3 * accounts, 3 * accounts]) {
        yield* TestClock.adjust("1 minute")
        yield* refreshTemplates.pipe(MemoryChat.through(ended))
        assert.strictEqual(asked, expected)
      }
    }))

  test("find a template by the provider's id, too", () =>
    Effect.gen(function* () {
      const { inside, template } = yield* givenStage
      const { externalId } = template
      assert.isNotNull(externalId)
      yield* transact(
        applyTemplateUpdates("whatsapp", [
          aboutTemplate({ externalId: externalId ?? "", name: "", language: "", status: "paused" })
        ])
      ).pipe(inside)
      assert.strictEqual((yield* getMessageTemplate({ id: template.id }).pipe(inside)).status, "paused")
    }))

  test("tell nothing of drafts, of other businesses and of templates that are unknown here", () =>
    Effect.gen(function* () {
      const { account, inside, organization } = yield* givenStage
      const draft = yield* givenDraft(organization, account.id, { name: "draft", components: greeting })
      const { events } = yield* traced(
        organization,
        transact(
          applyTemplateUpdates("whatsapp", [
            aboutTemplate({ name: "draft", status: "approved" }),
            aboutTemplate({ businessId: "business-2", status: "approved" }),
            aboutTemplate({ businessId: "nobody", status: "approved" }),
            aboutTemplate({ language: "de", status: "approved" })
          ])
        ).pipe(inside)
      )
      assert.deepStrictEqual(events, [])
      assert.deepStrictEqual(yield* getMessageTemplate({ id: draft.id }).pipe(inside), draft)
    }))
})

describe("updates of numbers", () => {
  test("update the quality of the number and the limit of its business, and keep absent values", () =>
    Effect.gen(function* () {
      const { account, inside, organization, sister, stranger } = yield* givenStage
      const { events } = yield* traced(
        organization,
        transact(
          applyNumberUpdates("whatsapp", [aboutNumber({ quality: "red" }), aboutNumber({ messagingLimit: "TIER_10K" })])
        ).pipe(inside)
      )
      assert.deepStrictEqual(events, [
        { type: "chat_account.updated", chatAccountId: account.id },
        { type: "chat_account.updated", chatAccountId: sister.id }
      ])
      const states = yield* Effect.forEach([account, sister, stranger], ({ id }) => getChatAccount({ id })).pipe(inside)
      // The limit belongs to the business, the quality to the number.
      assert.deepStrictEqual(
        states.map(({ messagingLimit, qualityRating }) => [qualityRating, messagingLimit]),
        [
          ["red", "TIER_10K"],
          [sister.qualityRating, "TIER_10K"],
          [stranger.qualityRating, stranger.messagingLimit]
        ]
      )
    }))

  test("find a number as people write it, and all numbers of the business where they name none", () =>
    Effect.gen(function* () {
      const { account, inside, sister, stranger } = yield* givenStage
      const qualities = Effect.forEach([account, sister, stranger], ({ id }) =>
        Effect.map(getChatAccount({ id }), ({ qualityRating }) => qualityRating)
      ).pipe(inside)
      const tell = (input: Partial<News<"number">>) =>
        transact(applyNumberUpdates("whatsapp", [aboutNumber({ phoneId: null, ...input })])).pipe(inside)
      const displayPhone = (account.phone ?? assert.fail()).replace(/^\+1(\d{3})(\d{3})/u, "1 ($1) $2-")
      yield* tell({ displayPhone, quality: "yellow" })
      assert.deepStrictEqual(yield* qualities, ["yellow", "green", "green"])
      yield* tell({ displayPhone: "1 999 999 9999", quality: "red" })
      assert.deepStrictEqual(yield* qualities, ["yellow", "green", "green"])
      yield* tell({ quality: "red" })
      assert.deepStrictEqual(yield* qualities, ["red", "red", "green"])
    }))
})

describe("updates of business accounts", () => {
  test("stop every number of the business and release them again", () =>
    Effect.gen(function* () {
      const { account, inside, organization, sister, statuses } = yield* givenStage
      const tell = (updates: News<"account">) =>
        traced(organization, transact(applyAccountUpdates("whatsapp", [updates])).pipe(inside))
      const stopped = yield* tell(aboutAccount("stopped", "Spam"))
      assert.deepStrictEqual(yield* statuses, ["degraded", "degraded", "connected"])
      assert.deepStrictEqual((yield* getChatAccount({ id: account.id }).pipe(inside)).lastError, {
        code: null,
        reason: "Spam"
      })
      assert.sameDeepMembers(
        stopped.events.filter(({ type }) => type === "chat_account.status_changed"),
        [account, sister].map(({ id }) => ({
          type: "chat_account.status_changed" as const,
          chatAccountId: id,
          from: "connected" as const,
          to: "degraded" as const
        }))
      )
      assert.deepStrictEqual(
        (yield* tell(aboutAccount(null, "ADULT"))).events.map(({ type }) => type),
        ["chat_account.notice", "chat_account.notice"]
      )
      yield* tell(aboutAccount("restored"))
      assert.deepStrictEqual(yield* statuses, ["connected", "connected", "connected"])
      const { lastError } = yield* getChatAccount({ id: account.id }).pipe(inside)
      assert.isNull(lastError)
    }))
})
