import { assert } from "@effect/vitest"
import { transact, UserId } from "@parley/domain/kernel"
import {
  Conversation,
  ConversationId,
  type Message,
  MessageId,
  Messages,
  type Episode,
  Waits
} from "@parley/domain/messaging"
import { BroadcastId, RecipientReplies } from "@parley/domain/campaigns"
import { AnalyticsRecords, type MessageRecord, quarterHourStart } from "@parley/domain/analytics"
import { DateTime, Effect } from "effect"
import { givenBroadcast, newBroadcast } from "../campaigns/given.ts"
import { givenInHand, tell, reported } from "../campaigns/recipientReceipts.ts"
import { runContract, type StorageContract } from "../contract.ts"
import { inNewOrganization } from "../crm/given.ts"
import { freshId, givenOrganization, inside } from "../given.ts"
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
