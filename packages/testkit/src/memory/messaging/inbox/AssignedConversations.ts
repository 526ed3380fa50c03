import { AssignedConversations, Conversation } from "@parley/domain/messaging"
import { Effect, HashMap, Layer } from "effect"
import { Store } from "../../store/Store.ts"

export const layer = Layer.effect(
  AssignedConversations,
  Effect.map(Store, (store) =>
    AssignedConversations.of({
      release: (userId, now) =>
        store.writeTenant(({ conversations }) => {
          const held = HashMap.toValues(conversations).filter(({ conversation }) => conversation.assigneeId === userId)
          return [
            held.map(({ conversation }) => conversation.id),
            {
              conversations: held.reduce((rows, row) => {
                const { id, version } = row.conversation
                const fields = { assigneeId: null, updatedAt: now, version: version + 1 }
                return HashMap.set(rows, id, {
                  ...row,
                  conversation: new Conversation({ ...row.conversation, ...fields })
                })
              }, conversations)
            }
          ]
        })
    })
  )
)
