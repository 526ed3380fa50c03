import { Sends } from "@parley/domain"
import { Effect, Layer } from "effect"
import { Store } from "../store/Store.ts"

export const layer = Layer.effect(
  Sends,
  Effect.map(Store, (store) =>
    Sends.of({
      enqueue: ({ now, ...send }) =>
        store.writeTenant(({ sends }) => [
          undefined,
          {
            sends: [
              ...sends.filter(({ messageId }) => messageId !== send.messageId),
              { ...send, attempts: 0, sender: null, hasBegun: false, runnableAt: now }
            ]
          }
        ])
    })
  )
)
