import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import {
  ChatAccountId,
  type ChargeSelection,
  type ChargeTally,
  combineCharges,
  type MessageCharge,
  MessageCharges,
  MessageId
} from "@parley/domain/messaging"
import { DateTime, Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { inNewOrganization } from "../../crm/given.ts"
import { freshId, freshText, givenOrganization, inside } from "../../given.ts"
import { givenConversation, givenMessage, minutes } from "./given.ts"

const newCharge = (changes: Partial<MessageCharge> = {}): MessageCharge => ({
  chatAccountId: freshId(ChatAccountId),
  providerMessageId: freshText("wamid"),
  messageId: freshId(MessageId),
  country: "DE",
  category: "marketing",
  type: "regular",
  billable: true,
  deliveredAt: minutes(1),
  pricedAt: minutes(1),
  ...changes
})

const record = (...charges: ReadonlyArray<MessageCharge>) =>
  Effect.flatMap(MessageCharges, (port) => transact(port.record(charges)))

const everything: ChargeSelection = { kind: "period", from: minutes(0), to: minutes(100_000), chatAccountId: null }

const tally = (selection: ChargeSelection = everything, starts: ReadonlyArray<DateTime.Utc> = []) =>
  Effect.map(
    Effect.flatMap(MessageCharges, (port) => port.tally(selection, starts)),
    (rows) => rows.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))
  )

const toTally = (charge: MessageCharge, range = -1): ChargeTally => ({
  range,
  rateDay: DateTime.formatIso(charge.deliveredAt).slice(0, 10),
  chatAccountId: charge.chatAccountId,
  country: charge.country,
  category: charge.category,
  type: charge.type,
  billable: charge.billable,
  messages: 1
})

const count = (rows: ReadonlyArray<ChargeTally>) => rows.reduce((sum, { messages }) => sum + messages, 0)

/** Contract of `MessageCharges`. */
export const messageCharges: StorageContract = {
  port: "MessageCharges",
  promises: (it) => {
    it.effect("counts a message once, however often and in any order its receipts arrive", () =>
      Effect.gen(function* () {
        const base = newCharge()
        const reports = [
          base,
          { ...base, pricedAt: minutes(3), deliveredAt: minutes(3), category: "utility", country: null },
          { ...base, pricedAt: minutes(3), deliveredAt: minutes(3), category: "service", messageId: null },
          { ...base, pricedAt: minutes(2), deliveredAt: minutes(2), billable: null, type: null }
        ]
        const orders = [reports, reports.toReversed(), [...reports.slice(2), ...reports, ...reports.slice(0, 1)]]
        const expected = [toTally(reports.reduce(combineCharges))]
        for (const order of orders) {
          const rows = yield* inNewOrganization(
            Effect.gen(function* () {
              for (const charge of order) yield* record(charge)
              return yield* tally()
            })
          )
          assert.deepStrictEqual(rows, expected)
        }
      })
    )

    it.effect("groups by account, country, category, type and the day in UTC", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const base = newCharge()
          const next = (changes: Partial<MessageCharge> = {}) => ({
            ...base,
            providerMessageId: freshText("wamid"),
            messageId: freshId(MessageId),
            ...changes
          })
          yield* record()
          yield* record(base, next(), next({ country: null }), next({ category: null, type: null, billable: null }))
          yield* record(next({ deliveredAt: minutes(1_440) }), next({ chatAccountId: freshId(ChatAccountId) }))
          const rows = yield* tally()
          assert.deepStrictEqual(rows.map(({ messages }) => messages).toSorted(), [1, 1, 1, 1, 2])
          const mine = yield* tally({ ...everything, chatAccountId: base.chatAccountId })
          assert.strictEqual(count(mine), 5)
        })
      )
    )

    it.effect("counts by ranges, with the end of the period excluded", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const times = [9, 10, 19, 20, 29, 30].map((at) => newCharge({ deliveredAt: minutes(at) }))
          yield* record(...times)
          const rows = yield* tally({ kind: "period", from: minutes(9), to: minutes(30), chatAccountId: null }, [
            minutes(10),
            minutes(20)
          ])
          assert.deepStrictEqual(rows.map(({ range }) => range).toSorted(), [-1, 0, 0, 1, 1])
        })
      )
    )

    it.effect("counts messages by a range of ids, and by conversation", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const conversation = yield* givenConversation()
          const other = yield* givenConversation()
          const [first, second, third] = [
            yield* givenMessage(conversation),
            yield* givenMessage(conversation),
            yield* givenMessage(other)
          ]
          const charges = [first, second, third].map(({ id }) => newCharge({ messageId: id }))
          yield* record(...charges, newCharge({ messageId: null }), newCharge())
          const ids = [first.id, second.id, third.id].toSorted()
          const [low = first.id, middle = first.id] = ids
          assert.strictEqual(count(yield* tally({ kind: "messages", first: low, last: middle })), 2)
          assert.strictEqual(count(yield* tally({ kind: "conversation", conversationId: conversation.id })), 2)
        })
      )
    )

    it.effect("counts each of several messages and conversations separately", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const { tallyEach } = yield* MessageCharges
          const [one, other, silent] = [
            yield* givenConversation(),
            yield* givenConversation(),
            yield* givenConversation()
          ]
          const [first, second, third] = [
            yield* givenMessage(one),
            yield* givenMessage(one),
            yield* givenMessage(other)
          ]
          const base = newCharge({ messageId: first.id })
          const again = { ...base, messageId: second.id, providerMessageId: freshText("wamid") }
          yield* record(base, again, newCharge({ messageId: third.id, country: null }), newCharge())
          const { range: _, ...facts } = toTally(base)
          const ofMessages = yield* tallyEach({ kind: "messages", ids: [first.id, freshId(MessageId)] })
          assert.deepStrictEqual(ofMessages, [{ resourceId: first.id, ...facts }])
          const ids = [one.id, other.id, silent.id]
          const ofConversations = yield* tallyEach({ kind: "conversations", ids })
          assert.deepStrictEqual(
            new Map(ofConversations.map((tally) => [tally.resourceId, [tally.messages, tally.country]])),
            new Map([
              [one.id, [2, "DE"]],
              [other.id, [1, null]]
            ])
          )
          assert.deepStrictEqual(yield* tallyEach({ kind: "messages", ids: [] }), [])
        })
      )
    )

    it.effect("separates organizations", () =>
      Effect.gen(function* () {
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const charge = newCharge()
        yield* record(charge).pipe(inside(one))
        yield* record({ ...charge, category: "utility" }).pipe(inside(other))
        assert.deepStrictEqual(yield* tally().pipe(inside(one)), [toTally(charge)])
        assert.deepStrictEqual(yield* tally().pipe(inside(other)), [toTally({ ...charge, category: "utility" })])
        const { tallyEach } = yield* MessageCharges
        const ids = charge.messageId === null ? [] : [charge.messageId]
        const each = yield* tallyEach({ kind: "messages", ids }).pipe(inside(other))
        assert.deepStrictEqual(
          each.map(({ category, messages }) => [category, messages]),
          [["utility", 1]]
        )
      })
    )
  }
}

export const messageChargesContract = runContract(messageCharges)
