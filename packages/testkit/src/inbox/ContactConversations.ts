import {
  ContactConversations,
  type ContactId,
  Conversation,
  type ConversationEntry,
  type ConversationId,
  type Message,
  type Note
} from "@parley/domain"
import { DateTime, Effect, HashMap, Layer } from "effect"
import { newestFirst } from "../store/slice.ts"
import type { ConversationRow, Tenant } from "../store/State.ts"
import { Store } from "../store/Store.ts"

const idlest = (one: Conversation, other: Conversation) =>
  DateTime.Order(one.lastActivityAt, other.lastActivityAt) || (one.id < other.id ? -1 : 1)

/** Of the unresolved ones over one account, all but the one in which something happened last. */
const clashing = (conversations: ReadonlyArray<Conversation>): ReadonlySet<ConversationId> => {
  const unresolved = conversations.filter(({ status }) => status !== "resolved")
  const ofAccounts = Map.groupBy(unresolved, ({ chatAccountId }) => chatAccountId)
  return new Set(
    [...ofAccounts.values()].flatMap((each) =>
      each
        .toSorted(idlest)
        .slice(0, -1)
        .map(({ id }) => id)
    )
  )
}

const resolved = (conversation: Conversation, now: DateTime.Utc) =>
  new Conversation({ ...conversation, status: "resolved", snoozedUntil: null, resolvedAt: now })

const raised = (conversation: Conversation, now: DateTime.Utc) =>
  new Conversation({ ...conversation, updatedAt: now, version: conversation.version + 1 })

/** What is in the conversations of a contact. */
const writtenWith = (tenant: Tenant, id: ContactId) => {
  const conversations = HashMap.toValues(tenant.conversations)
    .map(({ conversation }) => conversation)
    .filter(({ contactId }) => contactId === id)
  const ids = new Set(conversations.map((conversation) => conversation.id))
  const isIn = ({ conversationId }: Pick<Message, "conversationId">) => ids.has(conversationId)
  const messages = HashMap.toValues(tenant.messages)
    .map(({ message }) => message)
    .filter(isIn)
  const files = new Set(messages.map(({ media }) => media?.id))
  return {
    conversations,
    messages,
    notes: HashMap.toValues(tenant.notes).filter(isIn),
    media: HashMap.toValues(tenant.media).filter((media) => files.has(media.id))
  }
}

const openedEntry = ({ chatAccountId, createdAt, id }: Conversation): ConversationEntry => ({
  kind: "conversation_opened",
  id,
  at: createdAt,
  conversationId: id,
  chatAccountId
})

const messageEntry = (message: Message): ConversationEntry => {
  const { at, author, conversationId, direction, id, kind: messageKind, status, text } = message
  return { kind: "message", id, at, conversationId, direction, messageKind, text, status, author }
}

const noteEntry = ({ author, conversationId, createdAt, editedAt, id, text }: Note): ConversationEntry => ({
  kind: "note",
  id,
  at: createdAt,
  actor: author,
  conversationId,
  text,
  editedAt
})

const lastMade = <A extends { readonly createdAt: DateTime.Utc; readonly id: string }>(
  rows: ReadonlyArray<A>,
  limit: number
): ReadonlyArray<A> =>
  newestFirst(
    rows.map((row) => ({ at: row.createdAt, id: row.id, row })),
    { limit, after: null }
  ).map(({ row }) => row)

export const layer = Layer.effect(
  ContactConversations,
  Effect.map(Store, (store) =>
    ContactConversations.of({
      timeline: (contactId, slice) =>
        store.readTenant((tenant) => {
          const { conversations, messages, notes } = writtenWith(tenant, contactId)
          return newestFirst(
            [...conversations.map(openedEntry), ...messages.map(messageEntry), ...notes.map(noteEntry)],
            slice
          )
        }),
      correspondence: (contactId, limit) =>
        store.readTenant((tenant) => {
          const { conversations, media, messages, notes } = writtenWith(tenant, contactId)
          return {
            conversations: lastMade(conversations, limit),
            messages: newestFirst(messages, { limit, after: null }),
            notes: lastMade(notes, limit),
            media: lastMade(media, limit)
          }
        }),
      handOver: (from, to, mergeId, now) =>
        store.writeTenant(({ conversations }) => {
          const rows = HashMap.toValues(conversations).filter(
            ({ conversation: { contactId } }) => contactId === from || contactId === to
          )
          const clashes = clashing(rows.map(({ conversation }) => conversation))
          const changed = rows.flatMap((row): ReadonlyArray<ConversationRow> => {
            const { conversation } = row
            const isHanded = conversation.contactId === from
            if (!isHanded && !clashes.has(conversation.id)) return []
            const settled = clashes.has(conversation.id) ? resolved(conversation, now) : conversation
            return [
              {
                conversation: raised(new Conversation({ ...settled, contactId: to }), now),
                handedBy: isHanded ? [...row.handedBy, mergeId] : row.handedBy
              }
            ]
          })
          return [
            rows.flatMap(({ conversation: { id, status } }) =>
              clashes.has(id) ? [{ conversationId: id, from: status }] : []
            ),
            { conversations: changed.reduce((all, row) => HashMap.set(all, row.conversation.id, row), conversations) }
          ]
        }),
      handBack: (mergeId, to, now) =>
        store.writeTenant(({ conversations }) => [
          undefined,
          {
            conversations: HashMap.map(conversations, (row) =>
              row.handedBy.includes(mergeId)
                ? {
                    conversation: raised(new Conversation({ ...row.conversation, contactId: to }), now),
                    handedBy: row.handedBy.slice(0, row.handedBy.indexOf(mergeId))
                  }
                : row
            )
          }
        ]),
      forget: (contactIds) =>
        store.writeTenant((tenant) => {
          const isForgotten = ({ conversation: { contactId } }: ConversationRow) => contactIds.includes(contactId)
          const gone = new Set(
            HashMap.toValues(tenant.conversations)
              .filter(isForgotten)
              .map(({ conversation }) => conversation.id)
          )
          const rows = HashMap.toValues(tenant.messages)
          const mediaOf = (isGone: boolean) =>
            rows.flatMap(({ message }) =>
              gone.has(message.conversationId) === isGone && message.media !== null ? [message.media.id] : []
            )
          const kept = new Set(mediaOf(false))
          const orphans = new Set(mediaOf(true).filter((id) => !kept.has(id)))
          return [
            HashMap.toValues(tenant.media).flatMap(({ fileId, id }) =>
              orphans.has(id) && fileId !== null ? [fileId] : []
            ),
            {
              conversations: HashMap.filter(tenant.conversations, (row) => !isForgotten(row)),
              messages: HashMap.filter(tenant.messages, ({ message }) => !gone.has(message.conversationId)),
              notes: HashMap.filter(tenant.notes, ({ conversationId }) => !gone.has(conversationId)),
              sends: tenant.sends.filter(({ conversationId }) => !gone.has(conversationId)),
              media: HashMap.filter(tenant.media, ({ id }) => !orphans.has(id))
            }
          ]
        })
    })
  )
)
