import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { type ContactId, ContactMergeId } from "@parley/domain/crm"
import { type BroadcastId, ContactRecipients, RecipientReplies } from "@parley/domain/campaigns"
import { OrderId, type OrderRecord } from "@parley/domain/commerce"
import {
  RollupStore,
  AnalyticsRecords,
  type CountedRecord,
  countOne,
  wholeOrganization
} from "@parley/domain/analytics"
import { DateTime, Effect } from "effect"
import { givenInHand, tell, reported } from "../campaigns/recipientReceipts.ts"
import { runContract, type StorageContract } from "../contract.ts"
import { freshId, givenOrganization, inside } from "../given.ts"
import { givenConnection, newCustomer, newOrder, putCustomers, putOrders } from "../commerce/given.ts"

/** Returns the time this number of seconds after the base time of broadcast receipts. */
const moment = (seconds: number) => DateTime.add(DateTime.makeUnsafe("2026-03-01T06:00:00Z"), { seconds })

export const analyticsOrders: StorageContract = {
  port: "AnalyticsRecords (orders)",
  promises: (it) => {
    it.effect("reads orders with the broadcast that their contact has read or answered last before", () =>
      Effect.gen(function* () {
        const within = inside(yield* givenOrganization())
        const elsewhere = inside(yield* givenOrganization())
        const [records, rollups] = [yield* AnalyticsRecords, yield* RollupStore]
        const hours = 5
        const given = yield* within(
          Effect.gen(function* () {
            const first = yield* givenInHand(3)
            const second = yield* givenInHand(1)
            const [reader, other, replier] = first.window.calls.map(({ contactId }) => contactId)
            const [later] = second.window.calls.map(({ contactId }) => contactId)
            if (reader === undefined || later === undefined) return assert.fail()
            yield* tell(first.account, first.id, [
              reported(1, "read", 60),
              reported(2, "delivered", 60),
              reported(3, "sent", 60)
            ])
            yield* tell(second.account, second.id, [reported(1, "sent", 30), reported(1, "read", 600)])
            const reply = {
              broadcastId: first.id,
              seq: 3,
              repliedAt: moment(120),
              optedOutAt: null,
              conversationId: null
            }
            yield* transact((yield* RecipientReplies).save([reply]))
            const move = { mergeId: freshId(ContactMergeId), from: later, to: reader }
            yield* transact((yield* ContactRecipients).handOver(move))
            const connection = yield* givenConnection()
            const customer = newCustomer(connection, { externalId: "c9" })
            yield* putCustomers(customer)
            const placed = (
              seconds: number,
              contactId: ContactId | null | undefined,
              overrides: Partial<OrderRecord> = {}
            ) => newOrder(connection, { placedAt: moment(seconds), ...overrides }, { contactId: contactId ?? null })
            const orders = {
              early: placed(60, reader),
              between: placed(61, reader),
              after: placed(3_600, reader),
              late: placed(30 + hours * 3_600, reader),
              unread: placed(3_600, other),
              replied: placed(3_600, replier),
              nobodys: placed(3_600, null, { externalCustomerId: "c9", cancelledAt: moment(3_700), test: true })
            }
            yield* putOrders(...Object.values(orders))
            return { first, second, orders, customer: customer.customer, reader }
          })
        )
        const { customer, first, orders, reader, second } = given
        const ids = Object.values(orders).map(({ id }) => id)
        const found = yield* within(records.orders([...ids, freshId(OrderId)], hours))
        const touched = Object.fromEntries(
          Object.entries(orders).map(([name, { id }]) => [name, found.find((each) => each.id === id)?.touchedBy])
        )
        assert.deepStrictEqual(touched, {
          early: null,
          between: first.id,
          after: second.id,
          late: first.id,
          unread: null,
          replied: first.id,
          nobodys: null
        })
        assert.deepStrictEqual(
          found.find(({ id }) => id === orders.nobodys.id),
          {
            id: orders.nobodys.id,
            gross: orders.nobodys.gross,
            isTest: true,
            placedAt: moment(3_600),
            cancelledAt: moment(3_700),
            currency: "EUR",
            refunds: orders.nobodys.record.refunds.map(({ amount: { amountMinor }, at }) => ({ amountMinor, at })),
            givenBack: 450,
            touchedBy: null,
            keptAttribution: null
          }
        )
        const origins = yield* within(records.origins([...ids, freshId(OrderId)]))
        assert.sameMembers([...origins.keys()], ids)
        assert.strictEqual(new Set(origins.values()).size, ids.length)
        assert.strictEqual((yield* elsewhere(records.origins(ids))).size, 0)
        const credit = new Map([[orders.nobodys.id, first.id]])
        yield* within(transact(rollups.keepAttributions(credit)))
        yield* within(transact(rollups.keepAttributions(new Map([[orders.nobodys.id, second.id]]))))
        const kept = within(Effect.map(records.orders([orders.nobodys.id], hours), ([each]) => each?.keptAttribution))
        assert.strictEqual(yield* kept, first.id)
        yield* within(transact(rollups.dropAttributions([orders.nobodys.id])))
        assert.isNull(yield* kept)

        const touchedByFirst = within(records.ordersTouchedBy([first.id], hours, 1))
        assert.sameMembers(
          [...(yield* touchedByFirst)],
          [orders.between, orders.after, orders.late, orders.replied].map(({ id }) => id)
        )
        const credited = (broadcastId: BroadcastId) => [
          countOne("commerce.attributedOrders.EUR", 1, [wholeOrganization, broadcastId])
        ]
        const counted: CountedRecord = new Map([
          [orders.between.id, credited(first.id)],
          [orders.late.id, credited(second.id)],
          [orders.replied.id, [countOne("commerce.orders", 1, [wholeOrganization])]],
          [orders.early.id, credited(second.id)],
          [orders.unread.id, credited(first.id)]
        ])
        yield* within(transact(rollups.keep(1, counted)))
        assert.sameMembers(
          [...(yield* touchedByFirst)],
          [orders.after, orders.late, orders.replied, orders.unread].map(({ id }) => id)
        )
        assert.deepStrictEqual(yield* within(records.ordersOf([customer.id], [])), [orders.nobodys.id])
        assert.sameMembers(
          [...(yield* within(records.ordersOf([], [reader])))],
          [orders.early, orders.between, orders.after, orders.late].map(({ id }) => id)
        )
        const sorted = ids.toSorted()
        assert.deepStrictEqual(yield* within(records.ordersAfter(null, 2, null)), sorted.slice(0, 2))
        assert.deepStrictEqual(yield* within(records.ordersAfter(sorted[1] ?? null, 9, null)), sorted.slice(2))
        assert.deepStrictEqual(
          yield* within(records.ordersAfter(null, 9, moment(3_600))),
          [orders.after, orders.late, orders.unread, orders.replied].map(({ id }) => id).toSorted()
        )
        assert.isEmpty(yield* elsewhere(records.orders(ids, hours)))
        assert.isEmpty(yield* elsewhere(records.ordersTouchedBy([first.id], hours, 1)))
        assert.isEmpty(yield* elsewhere(records.ordersOf([customer.id], [reader])))
        assert.isEmpty(yield* elsewhere(records.ordersAfter(null, 9, null)))
      })
    )
  }
}

/** Checks an adapter against the contract of orders in records of the analytics. */
export const analyticsOrdersContract = runContract(analyticsOrders)
