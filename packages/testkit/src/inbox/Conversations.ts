import {
  Conversation,
  type ConversationId,
  type ConversationQuery,
  Conversations,
  type Conversing,
  NotFound,
  type Pair,
  spokenIn,
  waysTo,
  wordsIn
} from "@parley/domain"
import { DateTime, Effect, HashMap, Layer, Order } from "effect"
import { byKeys } from "../store/byCodePoints.ts"
import { rowAt, type Tenant } from "../store/State.ts"
import { Refused, Store } from "../store/Store.ts"
import { withConversations } from "./rows.ts"

const all = ({ conversations }: Tenant): ReadonlyArray<Conversation> =>
  HashMap.toValues(conversations).map(({ conversation }) => conversation)

const present = (tenant: Tenant, ids: ReadonlyArray<ConversationId>): ReadonlyArray<Conversation> =>
  [...new Set(ids)].flatMap((id) => rowAt(tenant.conversations, id)?.conversation ?? [])

const conversing = ({ chatAccounts, contacts }: Tenant, conversation: Conversation): Conversing => {
  const { contactId: id } = conversation
  const contact = rowAt(contacts, id)
  return {
    conversation,
    contact: { id, name: contact?.name ?? null, phone: contact?.phone ?? null },
    ways: contact === null ? [] : waysTo(contact),
    provider: rowAt(chatAccounts, conversation.chatAccountId)?.account.provider ?? null
  }
}

const isUnread = ({ inboundCount, readCount }: Conversation) => inboundCount > readCount

const hasWords = ({ messages }: Tenant, words: ReadonlyArray<string>, { id }: Conversation): boolean =>
  HashMap.toValues(messages).some(({ message }) => {
    if (message.conversationId !== id) return false
    const said = wordsIn(spokenIn(message))
    return words.every((word) => said.some((each) => each.startsWith(word)))
  })

const isWanted = (tenant: Tenant, query: ConversationQuery, conversation: Conversation): boolean => {
  const { assignee, chatAccountId, contactId, labels, priorities, statuses, unread, words } = query
  return (
    (statuses === null || statuses.includes(conversation.status)) &&
    (assignee === null || (conversation.assigneeId ?? "none") === assignee) &&
    (unread === null || isUnread(conversation) === unread) &&
    (priorities === null || priorities.includes(conversation.priority)) &&
    (labels === null || conversation.labels.some((label) => labels.includes(label))) &&
    (chatAccountId === null || conversation.chatAccountId === chatAccountId) &&
    (contactId === null || conversation.contactId === contactId) &&
    (words === null || hasWords(tenant, words, conversation))
  )
}

const keyOf = ({ sort }: ConversationQuery, conversation: Conversation): ReadonlyArray<string> => {
  const at = sort.endsWith("createdAt") ? conversation.createdAt : conversation.lastActivityAt
  return [DateTime.formatIso(at), conversation.id]
}

const orderOf = ({ sort }: ConversationQuery) => (sort.startsWith("-") ? Order.flip(byKeys) : byKeys)

/** Unresolved ones stand last, then those resolved last. */
const byResolution: Order.Order<Conversation> = Order.mapInput(byKeys, ({ id, resolvedAt, status }: Conversation) => [
  status === "resolved" ? "0" : "1",
  resolvedAt === null ? "" : DateTime.formatIso(resolvedAt),
  id
])

const latestOf = (tenant: Tenant, { chatAccountId, contactId }: Pair): Conversation | undefined =>
  all(tenant)
    .filter((each) => each.chatAccountId === chatAccountId && each.contactId === contactId)
    .toSorted(byResolution)
    .at(-1)

export const layer = Layer.effect(
  Conversations,
  Effect.map(Store, (store) =>
    Conversations.of({
      get: (id) =>
        Effect.filterOrFail(
          store.readTenant((tenant) => {
            const [conversation] = present(tenant, [id])
            return conversation === undefined ? null : conversing(tenant, conversation)
          }),
          (row) => row !== null,
          () => new NotFound({ resource: "conversation" })
        ),
      lock: (ids) =>
        Effect.andThen(
          store.exclusive,
          store.readTenant((tenant) => present(tenant, ids))
        ),
      lockLatest: (pairs) =>
        Effect.andThen(
          store.exclusive,
          store.readTenant((tenant) => [...new Set(pairs.flatMap((pair) => latestOf(tenant, pair) ?? []))])
        ),
      list: (query, { after, limit }) =>
        store.readTenant((tenant) => {
          const order = orderOf(query)
          const rows = all(tenant)
            .map((conversation) => ({ conversation, key: keyOf(query, conversation) }))
            .filter(({ key }) => after === null || order(key, after) > 0)
            .filter(({ conversation }) => isWanted(tenant, query, conversation))
            .toSorted((one, other) => order(one.key, other.key))
          return {
            rows: rows.slice(0, limit).map(({ conversation }) => conversing(tenant, conversation)),
            resume: null
          }
        }),
      windows: (chatAccountId, contactIds) =>
        store.readTenant((tenant) =>
          all(tenant)
            .filter((each) => each.chatAccountId === chatAccountId && contactIds.includes(each.contactId))
            .filter(({ otherWindows, windowExpiresAt }) => windowExpiresAt !== null || otherWindows.length > 0)
            .map(({ contactId, otherWindows, recipient, windowExpiresAt }) => ({
              contactId,
              recipient,
              windowExpiresAt,
              otherWindows
            }))
        ),
      talking: (chatAccountId, contactIds) =>
        store.readTenant(
          (tenant) =>
            new Set(
              all(tenant)
                .filter((each) => each.chatAccountId === chatAccountId && each.status !== "resolved")
                .map(({ contactId }) => contactId)
                .filter((contactId) => contactIds.includes(contactId))
            )
        ),
      counts: (me) =>
        store.readTenant((tenant) => {
          const rows = all(tenant)
          const count = (isCounted: (conversation: Conversation) => boolean) => rows.filter(isCounted).length
          const asking = (isCounted: (conversation: Conversation) => boolean) =>
            count((conversation) => conversation.status !== "resolved" && isCounted(conversation))
          return {
            open: count(({ status }) => status === "open"),
            pending: count(({ status }) => status === "pending"),
            snoozed: count(({ status }) => status === "snoozed"),
            resolved: count(({ status }) => status === "resolved"),
            mine: asking(({ assigneeId }) => me !== null && assigneeId === me),
            unassigned: asking(({ assigneeId }) => assigneeId === null),
            unread: asking(isUnread)
          }
        }),
      insert: (conversations) =>
        store.writeTenant((tenant) => {
          const rows = withConversations(
            tenant.conversations,
            conversations.map((conversation) => ({ conversation, handedBy: [] }))
          )
          return rows instanceof Refused ? rows : [undefined, { conversations: rows }]
        }),
      saveAll: (conversations) =>
        store.writeTenant((tenant) => {
          const after = conversations.flatMap((conversation) => {
            const row = rowAt(tenant.conversations, conversation.id)
            if (row === null) return []
            const { createdAt, version } = row.conversation
            return [{ ...row, conversation: new Conversation({ ...conversation, createdAt, version: version + 1 }) }]
          })
          const rows = withConversations(tenant.conversations, after)
          return rows instanceof Refused
            ? rows
            : [after.map(({ conversation }) => conversation), { conversations: rows }]
        })
    })
  )
)
