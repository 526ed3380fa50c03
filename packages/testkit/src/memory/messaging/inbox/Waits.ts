import {
  acceptedAt,
  type AcceptedAnswer,
  Conversation,
  isByPerson,
  type Message,
  Waits
} from "@parley/domain/messaging"
import { DateTime, Effect, HashMap, Layer } from "effect"
import { rowAt } from "../../store/State.ts"
import { Store } from "../../store/Store.ts"
import { waitingOf } from "./rows.ts"

const answerOf = (
  message: Message,
  ending: Pick<AcceptedAnswer, "round" | "since"> | null
): ReadonlyArray<AcceptedAnswer> => {
  const at = acceptedAt(message)
  if (ending === null || at === null) return []
  const { conversationId, id: messageId } = message
  return [{ conversationId, messageId, acceptedAt: at, byPerson: isByPerson(message), ...ending }]
}

export const layer = Layer.effect(
  Waits,
  Effect.map(Store, (store) =>
    Waits.of({
      lockMessages: (chatAccountId, of) =>
        Effect.andThen(
          store.exclusive,
          store.readTenant((tenant) =>
            of.flatMap(({ conversationId, messageId }) => {
              const row = rowAt(tenant.messages, messageId)
              const conversation = rowAt(tenant.conversations, conversationId)?.conversation
              const isThere = row?.chatAccountId === chatAccountId && row.message.conversationId === conversationId
              return !isThere || conversation === undefined
                ? []
                : [{ message: row.message, waiting: waitingOf(conversation) }]
            })
          )
        ),
      answers: (of) =>
        store.readTenant(({ messages }) =>
          HashMap.toValues(messages)
            .flatMap(({ ending, message }) => answerOf(message, ending ?? null))
            .filter((answer) =>
              of.some(
                ({ conversationId, from }) =>
                  conversationId === answer.conversationId && DateTime.isGreaterThanOrEqualTo(answer.acceptedAt, from)
              )
            )
        ),
      save: (waiting, endings) =>
        store.writeTenant((tenant) => [
          undefined,
          {
            conversations: waiting.reduce((rows, each) => {
              const row = rowAt(rows, each.id)
              return row === null
                ? rows
                : HashMap.set(rows, each.id, {
                    ...row,
                    conversation: new Conversation({ ...row.conversation, ...each })
                  })
            }, tenant.conversations),
            messages: Array.from(endings).reduce((rows, [id, ending]) => {
              const row = rowAt(rows, id)
              return row === null ? rows : HashMap.set(rows, id, { ...row, ending })
            }, tenant.messages)
          }
        ]),
      drop: (contactId) =>
        Effect.andThen(
          store.exclusive,
          store.writeTenant(({ conversations }) => {
            const held = HashMap.toValues(conversations).filter(
              ({ conversation }) => conversation.contactId === contactId && conversation.status !== "resolved"
            )
            return [
              held.flatMap(({ conversation: { chatAccountId, id, waitingSince } }) =>
                waitingSince === null ? [] : [{ id, chatAccountId }]
              ),
              {
                conversations: held.reduce((rows, row) => {
                  const { conversation } = row
                  const after = { ...conversation, waitingSince: null, waitRound: conversation.waitRound + 1 }
                  return HashMap.set(rows, conversation.id, { ...row, conversation: new Conversation(after) })
                }, conversations)
              }
            ]
          })
        ),
      episodes: (conversationId) =>
        store.readTenant(({ conversations }) => {
          const row = rowAt(conversations, conversationId)
          return row === null ? [] : [row.pastEpisodes ?? [], row.conversation.episode ?? []].flat()
        })
    })
  )
)
