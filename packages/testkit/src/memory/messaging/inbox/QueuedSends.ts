import { CurrentOrganization } from "@parley/domain/kernel"
import { QueuedSends, sendTaskName } from "@parley/domain/messaging"
import { Effect, Layer } from "effect"
import { Store } from "../../store/Store.ts"
import { openLanes } from "../../platform/background/laneRows.ts"

export const layer = Layer.effect(
  QueuedSends,
  Effect.map(Store, (store) =>
    QueuedSends.of({
      enqueue: Effect.fnUntraced(function* ({ now, priority, ...send }) {
        const { id: organizationId } = yield* CurrentOrganization
        yield* store.writeTenant(({ sends }) => {
          const former = sends.find(({ messageId }) => messageId === send.messageId)
          const others = sends.filter((row) => row !== former)
          const revision = former === undefined ? 0 : former.revision + 1
          const row = { ...send, revision, attempts: 0, hasBegun: false, begunBy: null, runnableAt: now }
          return [undefined, { sends: [...others, row] }]
        })
        yield* openLanes(store, [{ task: sendTaskName, organizationId, key: send.chatAccountId, priority, dueAt: now }])
      })
    })
  )
)
