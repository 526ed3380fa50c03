import type { ContactId, ContactMergeId } from "@parley/domain/crm"
import {
  ContactConversations,
  Conversation,
  type ConversationEntry,
  type ConversationMerge,
  mergeAllConversations,
  type Message,
  type Note,
  undoConversationMerges,
  systemMessage
} from "@parley/domain/messaging"
import { type DateTime, Effect, HashMap, Layer } from "effect"
import { newestFirst } from "../../store/slice.ts"
import { rowAt, type Tenant } from "../../store/State.ts"
import type { ConversationRow } from "../state.ts"
import { Store } from "../../store/Store.ts"

const changesOf = (joins: ReadonlyArray<ConversationMerge>) =>
  joins.flatMap(({ after, before }) => [
    { before: before.kept, after: after.kept },
    { before: before.other, after: after.other }
  ])

const raised = (conversation: Conversation, now: DateTime.Utc) =>
  new Conversation({ ...conversation, updatedAt: now, version: conversation.version + 1 })

/** Returns the content of a contact's conversations. */
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

/** Messages that need no attention create a resolved conversation. */
const wasOpen = ({ episode, status }: Conversation) => status !== "resolved" || episode !== null

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
            [...conversations.filter(wasOpen).map(openedEntry), ...messages.map(messageEntry), ...notes.map(noteEntry)],
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
        store.writeTenant(({ conversationJoins, conversations }) => {
          const rows = HashMap.toValues(conversations).filter(
            ({ conversation: { contactId } }) => contactId === from || contactId === to
          )
          const unresolved = rows.map(({ conversation }) => conversation).filter(({ status }) => status !== "resolved")
          const joins = mergeAllConversations(unresolved, mergeId, now)
          const joined = new Map(joins.flatMap(({ after }) => [after.kept, after.other]).map((each) => [each.id, each]))
          const changed = rows.flatMap((row): ReadonlyArray<ConversationRow> => {
            const { conversation } = row
            const isHanded = conversation.contactId === from
            const after = joined.get(conversation.id)
            if (!isHanded && after === undefined) return []
            return [
              {
                ...row,
                conversation: raised(new Conversation({ ...(after ?? conversation), contactId: to }), now),
                handedBy: isHanded ? [...row.handedBy, mergeId] : row.handedBy
              }
            ]
          })
          return [
            changesOf(joins),
            {
              conversationJoins: [...conversationJoins, ...joins],
              conversations: changed.reduce((all, row) => HashMap.set(all, row.conversation.id, row), conversations)
            }
          ]
        }),
      handBack: ({ from, later, mergeId, to }, now) =>
        store.writeTenant((tenant) => {
          const rows = HashMap.toValues(tenant.conversations).filter(
            ({ conversation: { contactId }, handedBy }) => contactId === from || handedBy.includes(mergeId)
          )
          const leaving = new Set(
            rows.filter(({ handedBy }) => handedBy.includes(mergeId)).map(({ conversation }) => conversation.id)
          )
          const of = (id: ContactMergeId) => tenant.conversationJoins.filter((join) => join.mergeId === id)
          const toUndo = {
            undone: mergeId,
            to,
            leaving,
            joins: [mergeId, ...later].flatMap(of),
            conversations: rows.map(({ conversation }) => conversation)
          }
          const { changed, joins } = undoConversationMerges(toUndo, now)
          const undone = new Map(changed.map(({ after }) => [after.id, after]))
          const others = tenant.conversationJoins.filter((join) => !toUndo.joins.includes(join))
          return [
            changed,
            {
              conversationJoins: [...others, ...joins],
              conversations: HashMap.map(tenant.conversations, (row) => {
                const { handedBy } = row
                const isLeaving = handedBy.includes(mergeId)
                const after = undone.get(row.conversation.id)
                if (!isLeaving && after === undefined) return row
                const conversation = after ?? new Conversation({ ...row.conversation, contactId: to })
                return {
                  ...row,
                  conversation: raised(conversation, now),
                  handedBy: isLeaving ? handedBy.slice(0, handedBy.indexOf(mergeId)) : handedBy
                }
              })
            }
          ]
        }),
      enter: (entries) =>
        store.writeTenant(({ messages }) => [
          undefined,
          {
            messages: entries.reduce(
              (rows, entry) =>
                HashMap.set(rows, entry.id, {
                  chatAccountId: entry.chatAccountId,
                  message: systemMessage(entry),
                  answered: null
                }),
              messages
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
              conversationJoins: tenant.conversationJoins.filter(
                ({ before: { kept, other } }) => !gone.has(kept.id) && !gone.has(other.id)
              ),
              conversations: HashMap.filter(tenant.conversations, (row) => !isForgotten(row)),
              assignmentQueue: HashMap.removeMany(tenant.assignmentQueue, gone),
              awayReplies: tenant.awayReplies.filter(({ conversationId }) => !gone.has(conversationId)),
              messages: HashMap.filter(tenant.messages, ({ message }) => !gone.has(message.conversationId)),
              oneTimeCodes: HashMap.filter(tenant.oneTimeCodes, ({ messageId }) => {
                const row = rowAt(tenant.messages, messageId)
                return row !== null && !gone.has(row.message.conversationId)
              }),
              notes: HashMap.filter(tenant.notes, ({ conversationId }) => !gone.has(conversationId)),
              sends: tenant.sends.filter(({ conversationId }) => !gone.has(conversationId)),
              media: HashMap.filter(tenant.media, ({ id }) => !orphans.has(id))
            }
          ]
        })
    })
  )
)
