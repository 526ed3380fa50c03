import { AnalyticsRecords, type ConversationRecord, type MessageRecord } from "@parley/domain/analytics"
import { DateTime, Effect, HashMap, Layer } from "effect"
import { rowAt, type Tenant } from "../store/State.ts"
import type { ConversationRow, MessageRow } from "../messaging/state.ts"
import { Store } from "../store/Store.ts"
import { countedOrderOf, touchedBy } from "./orderRecords.ts"
import { broadcastRecordOf, broadcastTotalsOf, isKept } from "./broadcastOutcomes.ts"

const recordOf = ({ chatAccountId, ending, message }: MessageRow): MessageRecord => {
  const { at, author, conversationId, deliveredAt, direction, failedAt, id, kind, readAt, sentAt, status } = message
  return {
    id,
    conversationId,
    chatAccountId,
    direction,
    kind,
    author,
    status,
    at,
    sentAt,
    deliveredAt,
    readAt,
    failedAt,
    endedWaitSince: ending?.since ?? null
  }
}

const firstReplyOf = ({ conversation: { firstRepliedAt, firstReplyId } }: ConversationRow, { messages }: Tenant) => {
  const row = firstReplyId === null ? null : rowAt(messages, firstReplyId)
  const since = row?.ending?.since ?? null
  return row === null || firstRepliedAt === null || since === null
    ? null
    : { author: row.message.author, acceptedAt: firstRepliedAt, endedWaitSince: since }
}

const conversationOf = (row: ConversationRow, tenant: Tenant): ConversationRecord => {
  const { chatAccountId, id, status, episode, waitingSince } = row.conversation
  return {
    id,
    chatAccountId,
    isOpen: status === "open",
    isWaiting: waitingSince !== null,
    episodes: [row.pastEpisodes ?? [], episode ?? []].flat(),
    firstReply: firstReplyOf(row, tenant)
  }
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
        ),
      answersBeside: (ids) =>
        store.readTenant(({ messages }) => {
          const beside = new Set(ids.flatMap((id) => rowAt(messages, id)?.message.conversationId ?? []))
          return HashMap.toValues(messages).flatMap(({ ending, message }) =>
            beside.has(message.conversationId) && ending != null && ending.since !== null ? [message.id] : []
          )
        }),
      broadcasts: (ids, now) =>
        store.readTenant((tenant) =>
          [...new Set(ids)].flatMap((id) => {
            const broadcast = rowAt(tenant.broadcasts, id)
            return broadcast === null || !isKept(broadcast, now) ? [] : [broadcastRecordOf(tenant, broadcast)]
          })
        ),
      broadcastTotals: (now) =>
        store.readTenant((tenant) =>
          HashMap.toValues(tenant.broadcasts)
            .filter((broadcast) => broadcast.startedAt !== null && isKept(broadcast, now))
            .map((broadcast) => broadcastTotalsOf(broadcastRecordOf(tenant, broadcast)))
        ),
      orders: (ids, attributionHours) =>
        store.readTenant((tenant) =>
          [...new Set(ids)].flatMap((id) => {
            const order = rowAt(tenant.storeOrders, id)
            return order === null ? [] : [countedOrderOf(tenant, order, attributionHours)]
          })
        ),
      origins: (ids) =>
        store.readTenant(
          ({ storeConnections, storeOrders }) =>
            new Map(
              ids.flatMap((id) => {
                const order = rowAt(storeOrders, id)
                const connection =
                  order === null ? null : (rowAt(storeConnections, order.storeConnectionId)?.connection ?? null)
                return order === null || connection === null
                  ? []
                  : [[id, `${connection.provider} ${connection.shopDomain} ${order.record.externalId}`] as const]
              })
            )
        ),
      ordersOf: (customerIds, contactIds) =>
        store.readTenant(({ storeCustomers, storeOrders }) => {
          const customers = customerIds.flatMap((id) => rowAt(storeCustomers, id)?.customer ?? [])
          return HashMap.toValues(storeOrders)
            .filter(
              ({ contactId, record, storeConnectionId }) =>
                (contactId !== null && contactIds.includes(contactId)) ||
                customers.some(
                  (each) =>
                    each.storeConnectionId === storeConnectionId && each.externalId === record.externalCustomerId
                )
            )
            .map(({ id }) => id)
        }),
      ordersTouchedBy: (broadcastIds, attributionHours, version) =>
        store.readTenant((tenant) => touchedBy(tenant, broadcastIds, attributionHours, version)),
      ordersAfter: (after, limit, since) =>
        store.readTenant(({ storeOrders }) =>
          HashMap.toValues(storeOrders)
            .filter(
              ({ contactId, id, record }) =>
                (after === null || id > after) &&
                (since === null || (contactId !== null && DateTime.isGreaterThanOrEqualTo(record.placedAt, since)))
            )
            .map(({ id }) => id)
            .toSorted()
            .slice(0, limit)
        ),
      owners: (conversationIds, contactIds) =>
        store.readTenant(({ conversations }) => {
          const [asked, held] = [new Set(conversationIds), new Set(contactIds)]
          const rows = HashMap.toValues(conversations).map(({ conversation }) => conversation)
          return new Map(
            rows
              .filter(({ contactId, id }) => asked.has(id) || held.has(contactId))
              .map((each) => [each.id, each.contactId])
          )
        }),
      conversations: (ids) =>
        store.readTenant((tenant) =>
          [...new Set(ids)].flatMap((id) => {
            const row = rowAt(tenant.conversations, id)
            return row === null ? [] : [conversationOf(row, tenant)]
          })
        ),
      conversationsWith: (contactIds, after, limit) =>
        store.readTenant((tenant) =>
          HashMap.toValues(tenant.conversations)
            .filter(
              ({ conversation: { contactId, id } }) => contactIds.includes(contactId) && (after === null || id > after)
            )
            .toSorted((one, other) => (one.conversation.id < other.conversation.id ? -1 : 1))
            .slice(0, limit)
            .map((row) => conversationOf(row, tenant))
        )
    })
  )
)
