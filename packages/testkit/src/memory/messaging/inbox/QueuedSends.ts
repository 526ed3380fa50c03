import { CurrentOrganization } from "@parley/domain/kernel"
import { QueuedSends, sendTaskName } from "@parley/domain/messaging"
import { Effect, Layer } from "effect"
import { Store } from "../../store/Store.ts"
import { openLanes } from "../../platform/background/laneRows.ts"

export const layer = Layer.effect(
  QueuedSends,
  Effect.map(Store, (store) =>
    QueuedSends.of({
      enqueue: Effect.fnUntraced(function* ({ chatAccountId, messages, now, priority }) {
        const { id: organizationId } = yield* CurrentOrganization
        yield* store.writeTenant(({ sends }) => {
          const ids = new Set(messages.map(({ id }) => id))
          const revisions = new Map(sends.map(({ messageId, revision }) => [messageId, revision]))
          const rows = messages.map(({ conversationId, id }) => ({
            messageId: id,
            conversationId,
            chatAccountId,
            revision: (revisions.get(id) ?? -1) + 1,
            attempts: 0,
            hasBegun: false,
            begunBy: null,
            runnableAt: now
          }))
          return [undefined, { sends: [...sends.filter(({ messageId }) => !ids.has(messageId)), ...rows] }]
        })
        yield* openLanes(store, [{ task: sendTaskName, organizationId, key: chatAccountId, priority, dueAt: now }])
      })
    })
  )
)
