import { OneTimeCodes } from "@parley/domain/messaging"
import { DateTime, Effect, HashMap, Layer } from "effect"
import { rowAt } from "../../store/State.ts"
import { Store } from "../../store/Store.ts"

export const layer = Layer.effect(
  OneTimeCodes,
  Effect.map(Store, (store) =>
    OneTimeCodes.of({
      insert: (code) =>
        store.writeTenant(({ oneTimeCodes }) => [
          undefined,
          { oneTimeCodes: HashMap.set(oneTimeCodes, code.messageId, code) }
        ]),
      find: (id) => store.readTenant(({ oneTimeCodes }) => rowAt(oneTimeCodes, id)?.sealed ?? null),
      erase: (ids) =>
        store.writeTenant(({ oneTimeCodes }) => [undefined, { oneTimeCodes: HashMap.removeMany(oneTimeCodes, ids) }]),
      sweep: () =>
        Effect.flatMap(DateTime.now, (now) =>
          store.writeTenant(({ oneTimeCodes, sends }) => {
            const waiting = new Set(sends.map(({ messageId }) => messageId))
            const gone = HashMap.toValues(oneTimeCodes).flatMap(({ expiresAt, messageId }) =>
              DateTime.isLessThanOrEqualTo(expiresAt, now) && !waiting.has(messageId) ? [messageId] : []
            )
            return [gone.length, { oneTimeCodes: HashMap.removeMany(oneTimeCodes, gone) }]
          })
        )
    })
  )
)
