import { NotFound } from "@parley/domain/kernel"
import {
  Conversation,
  type ConversationId,
  type ConversationQuery,
  Conversations,
  type ConversationWithContact,
  isAnswer,
  isDescending,
  conversationCursorKey,
  type ContactAccountPair,
  searchableText,
  recipientIdentities,
  searchTokens
} from "@parley/domain/messaging"
import { DateTime, Effect, HashMap, Layer, Order } from "effect"
import { byKeys } from "../../store/byCodePoints.ts"
import { rowAt, type Tenant } from "../../store/State.ts"
import { Refused, Store } from "../../store/Store.ts"
import { waitingOf, withConversations } from "./rows.ts"

const all = ({ conversations }: Tenant): ReadonlyArray<Conversation> =>
  HashMap.toValues(conversations).map(({ conversation }) => conversation)

const present = (tenant: Tenant, ids: ReadonlyArray<ConversationId>): ReadonlyArray<Conversation> =>
  [...new Set(ids)].flatMap((id) => rowAt(tenant.conversations, id)?.conversation ?? [])

/** Latest end of a free entry point in the prices of the messages. */
const freeUntil = ({ messages }: Tenant, id: ConversationId): DateTime.Utc | null =>
  HashMap.toValues(messages)
    .flatMap(({ message }) => (message.conversationId === id ? (message.pricing?.freeEntryPointExpiresAt ?? []) : []))
    .reduce<DateTime.Utc | null>((last, at) => (last === null ? at : DateTime.max(last, at)), null)

const conversing = (tenant: Tenant, conversation: Conversation): ConversationWithContact => {
  const { chatAccounts, contacts } = tenant
  const { contactId: id } = conversation
  const contact = rowAt(contacts, id)
  return {
    conversation,
    contact: { id, name: contact?.name ?? null, phone: contact?.phone ?? null },
    ways: contact === null ? [] : recipientIdentities(contact),
    provider: rowAt(chatAccounts, conversation.chatAccountId)?.account.provider ?? null,
    freeEntryPointExpiresAt: freeUntil(tenant, conversation.id)
  }
}

const isUnread = ({ inboundCount, readCount }: Conversation) => inboundCount > readCount

const hasWords = ({ messages }: Tenant, words: ReadonlyArray<string>, { id }: Conversation): boolean =>
  HashMap.toValues(messages).some(({ message }) => {
    if (message.conversationId !== id) return false
    const input = searchTokens(searchableText(message))
    return words.every((word) => input.some((each) => each.startsWith(word)))
  })

const isWanted = (tenant: Tenant, query: ConversationQuery, conversation: Conversation): boolean => {
  const { assignee, awaitingReply, chatAccountId, contactId, labels, priorities, statuses, unread, words } = query
  return (
    (statuses === null || statuses.includes(conversation.status)) &&
    (assignee === null || (conversation.assigneeId ?? "none") === assignee) &&
    (unread === null || isUnread(conversation) === unread) &&
    (awaitingReply === null || (conversation.waitingSince !== null) === awaitingReply) &&
    (priorities === null || priorities.includes(conversation.priority)) &&
    (labels === null || conversation.labels.some((label) => labels.includes(label))) &&
    (chatAccountId === null || conversation.chatAccountId === chatAccountId) &&
    (contactId === null || conversation.contactId === contactId) &&
    (words === null || hasWords(tenant, words, conversation))
  )
}

/** Rank lists put the lower rank first. Each rank has its own order. */
const orderOf =
  ({ sort }: ConversationQuery): Order.Order<ReadonlyArray<string>> =>
  (one, other) => {
    const [rank = null] = one
    const isRanked = sort === "waitingSince" || sort === "priority"
    const isDown = isDescending(sort, isRanked ? rank : null)
    const isSameRank = !isRanked || rank === other[0]
    return isSameRank && isDown ? byKeys(other, one) : byKeys(one, other)
  }

/** Sorts unresolved conversations last, preceded by the latest resolved ones. */
const byResolution: Order.Order<Conversation> = Order.mapInput(byKeys, ({ id, resolvedAt, status }: Conversation) => [
  status === "resolved" ? "0" : "1",
  resolvedAt === null ? "" : DateTime.formatIso(resolvedAt),
  id
])

const latestOf = (tenant: Tenant, { chatAccountId, contactId }: ContactAccountPair): Conversation | undefined =>
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
      // Units of work run one after another here, so no conversation is locked.
      lockFree: (ids) =>
        Effect.andThen(
          store.exclusive,
          store.readTenant((tenant) => present(tenant, ids))
        ),
      lockLatest: (pairs) =>
        Effect.andThen(
          store.exclusive,
          store.readTenant((tenant) => [...new Set(pairs.flatMap((pair) => latestOf(tenant, pair) ?? []))])
        ),
      lockInvolved: (pairs, receipted) =>
        Effect.andThen(
          store.exclusive,
          store.readTenant((tenant) => {
            const latest = [...new Set(pairs.flatMap((pair) => latestOf(tenant, pair) ?? []))]
            const ids = new Set(
              HashMap.toValues(tenant.messages)
                .filter(({ chatAccountId, message }) =>
                  receipted.some(
                    ({ chatAccountId: of, providerMessageId, reference }) =>
                      message.id === reference ||
                      (of === chatAccountId && message.providerMessageId === providerMessageId)
                  )
                )
                .filter(({ message }) => isAnswer({ ...message, kind: "text" }))
                .map(({ message }) => message.conversationId)
            )
            const waiting = present(tenant, [...ids])
              .filter((each) => !latest.includes(each))
              .map(waitingOf)
            return { latest, waiting }
          })
        ),
      list: (query, { after, limit }) =>
        store.readTenant((tenant) => {
          const order = orderOf(query)
          const rows = all(tenant)
            .map((conversation) => ({ conversation, key: conversationCursorKey(query.sort, conversation) }))
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
            const { createdAt, episode, version } = row.conversation
            const isPast = episode !== null && episode.number < (conversation.episode?.number ?? 0)
            const pastEpisodes = [...(row.pastEpisodes ?? []), ...(isPast ? [episode] : [])]
            const after = new Conversation({ ...conversation, createdAt, version: version + 1 })
            return [{ ...row, pastEpisodes, conversation: after }]
          })
          const rows = withConversations(tenant.conversations, after)
          return rows instanceof Refused
            ? rows
            : [after.map(({ conversation }) => conversation), { conversations: rows }]
        }),
      saveWritten: (conversations) =>
        Effect.orDie(
          store.writeTenant((tenant) => {
            const after = conversations.flatMap((written) => {
              const row = rowAt(tenant.conversations, written.id)
              if (row === null) return []
              const { lastActivityAt, lastMessage, readCount, recipient, recipientAt, updatedAt } = written
              const fields = { lastActivityAt, lastMessage, readCount, recipient, recipientAt, updatedAt }
              const conversation = new Conversation({
                ...row.conversation,
                ...fields,
                version: row.conversation.version + 1
              })
              return [{ ...row, conversation }]
            })
            const rows = withConversations(tenant.conversations, after)
            return rows instanceof Refused ? rows : [undefined, { conversations: rows }]
          })
        )
    })
  )
)
