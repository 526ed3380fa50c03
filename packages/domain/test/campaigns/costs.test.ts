import { assert, layer } from "@effect/vitest"
import { type MessageRate, RateCards } from "@parley/domain/messaging"
import {
  type BroadcastId,
  previewAudience,
  readBroadcastReport,
  recipientIdAt,
  recipientPrefix
} from "@parley/domain/campaigns"
import {
  applyReportedEvents,
  asOperatorOf,
  givenContact,
  givenOrganization,
  TestKit,
  type ReportedEvent
} from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { givenChatAccount } from "../messaging/inbox/given.ts"
import { receipt } from "../messaging/inbox/whatsAppStage.ts"
import { givenCampaign, givenFrozen, givenReader, givenTemplate, listedAs } from "./given.ts"

const begin = DateTime.makeUnsafe("2026-03-02T08:00:00Z")

const rate = (changes: Partial<MessageRate> = {}): MessageRate => ({
  country: "DE",
  category: "marketing",
  currency: "EUR",
  amount: 113_100,
  validFrom: "2026-01-01",
  ...changes
})

const clearRates = Effect.gen(function* () {
  const cards = yield* RateCards
  for (const { currency, validFrom } of yield* cards.find("EUR")) yield* cards.remove(currency, validFrom)
})

const pricing = { billable: true, model: "PMP", category: "marketing", type: "regular" }

layer(TestKit.layer)("the costs of a broadcast", (it) => {
  it.effect("are those of its delivered messages, each once, by the current rates", () =>
    Effect.gen(function* () {
      yield* clearRates
      yield* TestClock.setTime(DateTime.toEpochMillis(begin))
      const { account, id, organization } = yield* givenCampaign(3)
      const other = yield* givenCampaign(1)
      const inside = asOperatorOf(organization)
      const of = (
        broadcast: BroadcastId,
        place: number,
        fields: Partial<ReportedEvent & { readonly kind: "receipt" }> = {}
      ) =>
        receipt(account, {
          id: `wamid.${broadcast}.${place}`,
          reference: recipientIdAt(recipientPrefix(broadcast), place),
          at: begin,
          pricing,
          ...fields
        })
      yield* inside(
        applyReportedEvents([
          of(id, 0),
          of(id, 0, { status: "read" }),
          of(id, 1, { pricing: { ...pricing, type: "free_entry_point" } }),
          of(id, 2, { status: "sent" }),
          of(other.id, 0)
        ])
      )
      yield* inside(applyReportedEvents([of(id, 0)]))
      const costs = Effect.map(inside(readBroadcastReport({ id })), (report) => report.costs)
      assert.deepStrictEqual(yield* costs, { currency: "EUR", amount: 0, messages: 2, free: 1, withoutRate: 1 })
      yield* (yield* RateCards).put([rate()])
      assert.deepStrictEqual(yield* costs, { currency: "EUR", amount: 113_100, messages: 2, free: 1, withoutRate: 0 })
    })
  )
})

layer(TestKit.layer)("the costs of a variant", (it) => {
  it.effect("cover its own messages, and add up to the costs of the broadcast", () =>
    Effect.gen(function* () {
      yield* clearRates
      yield* TestClock.setTime(DateTime.toEpochMillis(begin))
      const { account, contacts, organization, template } = yield* givenCampaign(4)
      const variables = { "body.1": { kind: "field", field: "name" } } as const
      const variants = [
        { key: "a", weight: 50, templateId: template.id, variables },
        { key: "b", weight: 50, templateId: template.id, variables }
      ] as const
      const recipients = contacts.map((contact, index) => listedAs(contact, { variant: index === 2 ? "b" : "a" }))
      const { id } = yield* givenFrozen(organization, account, template, recipients, { variants })
      yield* (yield* RateCards).put([rate()])
      const inside = asOperatorOf(organization)
      const result = [1, 2, 3].map((place) =>
        receipt(account, {
          id: `wamid.${id}.${place}`,
          reference: recipientIdAt(recipientPrefix(id), place),
          at: begin,
          pricing
        })
      )
      yield* inside(applyReportedEvents(result))
      const report = yield* inside(readBroadcastReport({ id }))
      assert.deepStrictEqual(
        report.variants?.map(({ costs, key }) => [key, costs.messages, costs.amount]),
        [
          ["a", 2, 226_200],
          ["b", 1, 113_100]
        ]
      )
      assert.strictEqual(report.costs.amount, 339_300)
    })
  )
})

layer(TestKit.layer)("the estimate of a preview", (it) => {
  const given = Effect.gen(function* () {
    yield* clearRates
    yield* TestClock.setTime(DateTime.toEpochMillis(begin))
    const organization = yield* givenOrganization({ plan: "scale" })
    const account = yield* givenChatAccount(organization)
    const template = yield* givenTemplate(organization, account)
    for (let count = 0; count < 3; count += 1) yield* givenReader(organization)
    const marketing = { state: "subscribed", source: "form" } as const
    yield* givenContact(organization, { name: "Lia", phone: "+541123456789", marketing })
    const input = {
      chatAccountId: account.id,
      templateId: template.id,
      variables: { "body.1": { kind: "field", field: "firstName" } },
      audience: {}
    } as const
    return { account, inside: asOperatorOf(organization), organization, input }
  })

  it.effect("follows the countries of the recipients and the rates of the first day", () =>
    Effect.gen(function* () {
      const { inside, input } = yield* given
      const cards = yield* RateCards
      const estimate = (fields: object = {}) =>
        Effect.map(inside(previewAudience({ ...input, ...fields })), ({ costs }) => costs)
      const none = { state: "no_rate_card", currency: "EUR", amount: null } as const
      assert.deepStrictEqual(yield* estimate(), { ...none, messages: null, withoutRate: null })
      yield* cards.put([rate({ category: "utility" })])
      assert.deepStrictEqual(yield* estimate(), { ...none, messages: 4, withoutRate: 4 })
      yield* cards.put([rate(), rate({ amount: 1, validFrom: "2026-04-01" })])
      assert.deepStrictEqual(yield* estimate(), {
        state: "partial",
        currency: "EUR",
        amount: 339_300,
        messages: 4,
        withoutRate: 1
      })
      yield* cards.put([rate({ country: "AR", amount: 61_800 })])
      const complete = { state: "complete", currency: "EUR", messages: 4, withoutRate: 0 } as const
      assert.deepStrictEqual(yield* estimate(), { ...complete, amount: 401_100 })
      const later = { schedule: { at: DateTime.makeUnsafe("2026-04-01T08:00:00Z") } }
      assert.deepStrictEqual(yield* estimate(later), { ...complete, amount: 61_803 })
      const { templateId: _, variables: __, ...withoutTemplate } = input
      assert.isNull((yield* inside(previewAudience(withoutTemplate))).costs)
    })
  )

  it.effect("divides the recipients among variants of different categories", () =>
    Effect.gen(function* () {
      const { account, inside, organization, input } = yield* given
      const utility = yield* givenTemplate(organization, account, { category: "utility" })
      yield* (yield* RateCards).put([
        rate({ country: null, amount: 1_000 }),
        rate({ country: null, category: "utility", amount: 1 })
      ])
      const { templateId, variables, ...rest } = input
      const variants = [
        { key: "a", weight: 50, templateId, variables },
        { key: "b", weight: 50, templateId: utility.id, variables }
      ] as const
      const { costs } = yield* inside(previewAudience({ ...rest, variants }))
      assert.deepStrictEqual([costs?.state, costs?.messages], ["complete", 4])
      // The three German recipients are 1 and 2, the recipient in Argentina is 0 and 1.
      assert.strictEqual(costs?.amount, 1_003)
    })
  )
})
