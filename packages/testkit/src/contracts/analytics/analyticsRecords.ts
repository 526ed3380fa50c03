import { assert } from "@effect/vitest"
import { transact, UserId } from "@parley/domain/kernel"
import { type ContactId, ContactMergeId } from "@parley/domain/crm"
import {
  Conversation,
  ConversationId,
  type Message,
  MessageId,
  Messages,
  type Episode,
  Waits
} from "@parley/domain/messaging"
import { BroadcastId, ContactRecipients, RecipientReplies } from "@parley/domain/campaigns"
import { OrderId, type OrderRecord } from "@parley/domain/commerce"
import {
  RollupStore,
  AnalyticsRecords,
  type CountedRecord,
  type MessageRecord,
  countOne,
  quarterHourStart,
  wholeOrganization
} from "@parley/domain/analytics"
import { DateTime, Effect } from "effect"
import { givenBroadcast, newBroadcast } from "../campaigns/given.ts"
import { givenInHand, tell, reported } from "../campaigns/recipientReceipts.ts"
import { runContract, type StorageContract } from "../contract.ts"
import { inNewOrganization } from "../crm/given.ts"
import { freshId, givenOrganization, inside } from "../given.ts"
import { givenConnection, newCustomer, newOrder, putCustomers, putOrders } from "../commerce/given.ts"
import { givenConversation, givenMessage, minutes, newMessage, saveConversations } from "../messaging/inbox/given.ts"

const iso = (time: DateTime.Utc | null) => (time === null ? null : DateTime.formatIso(time))

const plain = (record: MessageRecord | Message) => ({
  id: record.id,
  direction: record.direction,
  kind: record.kind,
  author: { ...record.author },
  status: record.status,
  times: [record.at, record.sentAt, record.deliveredAt, record.readAt, record.failedAt].map(iso)
})

/** Returns the time this number of seconds after the base time of broadcast receipts. */
const moment = (seconds: number) => DateTime.add(DateTime.makeUnsafe("2026-03-01T06:00:00Z"), { seconds })

const byId = (one: { readonly id: string }, other: { readonly id: string }) => (one.id < other.id ? -1 : 1)

export const analyticsRecords: StorageContract = {
  port: "AnalyticsRecords",
  promises: (it) => {
    it.effect("reads current messages by id and by contact", () =>
      Effect.gen(function* () {
        const within = inside(yield* givenOrganization())
        const elsewhere = inside(yield* givenOrganization())
        const { conversation, messages } = yield* within(
          Effect.gen(function* () {
            const conversation = yield* givenConversation()
            const other = yield* givenConversation()
            const messages = [
              newMessage(conversation),
              newMessage(conversation, {
                direction: "outbound",
                author: { kind: "user", id: freshId(MessageId) },
                status: "failed",
                sentAt: minutes(1),
                deliveredAt: minutes(2),
                readAt: minutes(3),
                failedAt: minutes(4)
              })
            ].toSorted(byId)
            const port = yield* Messages
            yield* transact(port.insert(conversation.chatAccountId, messages))
            yield* transact(port.insert(other.chatAccountId, [newMessage(other)]))
            return { conversation, messages }
          })
        )
        const records = yield* AnalyticsRecords
        const ids = messages.map(({ id }) => id)
        const found = yield* within(records.messages([...ids, ...ids, freshId(MessageId)]))
        assert.deepStrictEqual(found.toSorted(byId).map(plain), messages.map(plain))
        assert.isTrue(found.every(({ chatAccountId }) => chatAccountId === conversation.chatAccountId))
        assert.isEmpty(yield* elsewhere(records.messages(ids)))
        const { contactId } = conversation
        assert.deepStrictEqual(
          (yield* within(records.messagesWith([contactId], null, 9))).map(plain),
          messages.map(plain)
        )
        const [first] = yield* within(records.messagesWith([contactId], null, 1))
        assert.strictEqual(first?.id, ids[0])
        assert.deepStrictEqual(
          (yield* within(records.messagesWith([contactId], first?.id ?? null, 9))).map(({ id }) => id),
          ids.slice(1)
        )
        assert.isEmpty(yield* elsewhere(records.messagesWith([contactId], null, 9)))
      })
    )

    it.effect("reads conversations with their episodes and first answers", () =>
      Effect.gen(function* () {
        const within = inside(yield* givenOrganization())
        const elsewhere = inside(yield* givenOrganization())
        const userId = freshId(UserId)
        const first: Episode = {
          number: 1,
          startedAt: minutes(1),
          resolvedAt: minutes(4),
          resolvedBy: { kind: "user", id: userId }
        }
        const second: Episode = { number: 2, startedAt: minutes(5), resolvedAt: null, resolvedBy: null }
        const { answer, conversation, quiet } = yield* within(
          Effect.gen(function* () {
            const conversation = yield* givenConversation({ episode: first })
            const quiet = yield* givenConversation({ status: "pending" })
            const answer = yield* givenMessage(conversation, {
              direction: "outbound",
              author: { kind: "user", id: userId },
              status: "sent",
              sentAt: minutes(3)
            })
            yield* givenMessage(conversation)
            const endings = new Map([[answer.id, { round: 0, since: minutes(2) }]])
            const waits = yield* Waits
            yield* Effect.orDie(saveConversations([new Conversation({ ...conversation, episode: second })]))
            const waiting = {
              id: conversation.id,
              waitingSince: minutes(6),
              firstRepliedAt: minutes(3),
              firstReplyId: answer.id,
              waitRound: 0
            }
            yield* transact(waits.save([waiting], endings))
            return { conversation, quiet, answer }
          })
        )
        const records = yield* AnalyticsRecords
        const [found] = yield* within(records.conversations([conversation.id, freshId(ConversationId)]))
        assert.deepStrictEqual(found, {
          id: conversation.id,
          chatAccountId: conversation.chatAccountId,
          isOpen: true,
          isWaiting: true,
          episodes: [first, second],
          firstReply: { author: answer.author, acceptedAt: minutes(3), endedWaitSince: minutes(2) }
        })
        assert.deepStrictEqual(yield* within(records.conversations([quiet.id])), [
          {
            id: quiet.id,
            chatAccountId: quiet.chatAccountId,
            isOpen: false,
            isWaiting: false,
            episodes: [],
            firstReply: null
          }
        ])
        const owned = yield* within(records.owners([conversation.id, freshId(ConversationId)], [quiet.contactId]))
        assert.deepStrictEqual(
          owned,
          new Map([
            [conversation.id, conversation.contactId],
            [quiet.id, quiet.contactId]
          ])
        )
        assert.strictEqual((yield* elsewhere(records.owners([conversation.id], [quiet.contactId]))).size, 0)
        assert.strictEqual((yield* within(records.owners([], []))).size, 0)
        assert.deepStrictEqual(yield* within(records.answersBeside([answer.id])), [answer.id])
        const contactIds = [conversation.contactId, quiet.contactId]
        const ids = [conversation.id, quiet.id].toSorted()
        const idsWith = (after: ConversationId | null, limit: number) =>
          Effect.map(records.conversationsWith(contactIds, after, limit), (rows) => rows.map(({ id }) => id))
        assert.deepStrictEqual(yield* within(idsWith(null, 1)), ids.slice(0, 1))
        assert.deepStrictEqual(yield* within(idsWith(ids[0] ?? null, 9)), ids.slice(1))
        assert.isEmpty(yield* elsewhere(records.conversations([conversation.id])))
        assert.isEmpty(yield* elsewhere(records.answersBeside([answer.id])))
        assert.isEmpty(yield* elsewhere(records.conversationsWith(contactIds, null, 9)))
      })
    )

    it.effect("reads the results of broadcast recipients during their retention", () =>
      Effect.gen(function* () {
        const within = inside(yield* givenOrganization())
        const elsewhere = inside(yield* givenOrganization())
        const { account, id } = yield* within(givenInHand(5, 2))
        yield* within(
          tell(account, id, [
            reported(1, "sent", 1),
            reported(2, "read", 899),
            reported(3, "delivered", 900),
            reported(4, "failed", 901),
            reported(5, "sent", 1_800)
          ])
        )
        const reply = { broadcastId: id, seq: 2, repliedAt: minutes(9), optedOutAt: null, conversationId: null }
        yield* within(transact(Effect.flatMap(RecipientReplies, (replies) => replies.save([reply]))))
        const unsent = yield* within(givenBroadcast())
        const records = yield* AnalyticsRecords
        const nothing = { sent: 0, delivered: 0, read: 0, replied: 0, failed: 0 }
        const [found] = yield* within(records.broadcasts([id, freshId(BroadcastId)], minutes(60)))
        const quarter = found?.outcomes[0]?.quarter ?? assert.fail()
        assert.strictEqual(DateTime.formatIso(quarterHourStart(quarter)), "2026-03-01T06:00:00.000Z")
        assert.deepStrictEqual(found, {
          id,
          chatAccountId: account,
          outcomes: [
            { ...nothing, quarter, sent: 2, delivered: 1, read: 1, replied: 1 },
            { ...nothing, quarter: quarter + 1, sent: 1, delivered: 1, failed: 1 },
            { ...nothing, quarter: quarter + 2, sent: 1 }
          ]
        })
        assert.deepStrictEqual(yield* within(records.broadcasts([unsent.id], minutes(60))), [
          { id: unsent.id, chatAccountId: unsent.chatAccountId, outcomes: [] }
        ])
        const totals = { id, sent: 4, delivered: 2, read: 1, replied: 1, failed: 1 }
        assert.deepStrictEqual(
          (yield* within(records.broadcastTotals(minutes(60)))).map((each) => ({ ...each })),
          [totals]
        )
        assert.isEmpty(yield* elsewhere(records.broadcasts([id], minutes(60))))
        assert.isEmpty(yield* elsewhere(records.broadcastTotals(minutes(60))))
        const over = yield* within(
          givenBroadcast(newBroadcast({ startedAt: minutes(1), recipientsKeptUntil: minutes(50) }))
        )
        assert.lengthOf(yield* within(records.broadcasts([over.id], minutes(49))), 1)
        assert.isEmpty(yield* within(records.broadcasts([over.id], minutes(50))))
        assert.isEmpty((yield* within(records.broadcastTotals(minutes(50)))).filter((each) => each.id === over.id))
      })
    )

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

    it.effect("reads nothing of unknown ids", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const records = yield* AnalyticsRecords
          assert.isEmpty(yield* records.messages([]))
          assert.isEmpty(yield* records.messagesWith([], null, 9))
          assert.isEmpty(yield* records.answersBeside([]))
          assert.isEmpty(yield* records.broadcasts([], minutes(1)))
          assert.isEmpty(yield* records.conversations([]))
          assert.isEmpty(yield* records.orders([], 1))
          assert.isEmpty(yield* records.ordersOf([], []))
          assert.isEmpty(yield* records.ordersTouchedBy([], 1, 1))
          assert.isEmpty(yield* records.conversationsWith([], null, 9))
        })
      )
    )
  }
}

export const analyticsRecordsContract = runContract(analyticsRecords)
