import { ContactConversations, Conversation, type ConversationId } from "@parley/domain"
import { DateTime, Effect, HashMap, Layer } from "effect"
import type { ConversationRow } from "../store/State.ts"
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

export const layer = Layer.effect(
  ContactConversations,
  Effect.map(Store, (store) =>
    ContactConversations.of({
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
