import { AnalyticsRecords, type MessageRecord } from "@parley/domain"
import { Effect, HashMap, Layer } from "effect"
import { type MessageRow, rowAt } from "../store/State.ts"
import { Store } from "../store/Store.ts"

const recordOf = ({ chatAccountId, message }: MessageRow): MessageRecord => {
  const { at, author, deliveredAt, direction, failedAt, id, kind, readAt, sentAt, status } = message
  return { id, chatAccountId, direction, kind, author, status, at, sentAt, deliveredAt, readAt, failedAt }
}

export const layer = Layer.effect(
  AnalyticsRecords,
  Effect.map(Store, (store) =>
    AnalyticsRecords.of({
      messages: (ids) =>
        store.readTenant(({ messages }) =>
          [...new Set(ids)].flatMap((id) => {
            const row = rowAt(messages, id)
            return row === null ? [] : [recordOf(row)]
          })
        ),
      messagesWith: (contactIds, after, limit) =>
        store.readTenant(({ conversations, messages }) =>
          HashMap.toValues(messages)
            .filter(({ message }) => {
              const held = rowAt(conversations, message.conversationId)
              return held !== null && contactIds.includes(held.conversation.contactId)
            })
            .map(recordOf)
            .filter(({ id }) => after === null || id > after)
            .toSorted((one, other) => (one.id < other.id ? -1 : 1))
            .slice(0, limit)
        )
    })
  )
)
