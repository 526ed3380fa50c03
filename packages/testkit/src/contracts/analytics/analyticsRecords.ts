import { assert } from "@effect/vitest"
import { AnalyticsRecords, type Message, MessageId, type MessageRecord, Messages, transact } from "@parley/domain"
import { DateTime, Effect } from "effect"
import { runContract, type StorageContract } from "../contract.ts"
import { inNewOrganization } from "../crm/given.ts"
import { freshId, givenOrganization, inside } from "../given.ts"
import { givenConversation, minutes, newMessage } from "../inbox/given.ts"

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
    it.effect("reads messages as they are, by their ids and by whom they are with", () =>
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

    it.effect("reads nothing of nobody", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const records = yield* AnalyticsRecords
          assert.isEmpty(yield* records.messages([]))
          assert.isEmpty(yield* records.messagesWith([], null, 9))
        })
      )
    )
  }
}

/** What every `AnalyticsRecords` promises. */
export const analyticsRecordsContract = runContract(analyticsRecords)
