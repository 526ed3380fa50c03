import { Suppressions } from "@parley/domain/crm"
import { DateTime, Effect, HashMap, Layer } from "effect"
import { rowAt } from "../store/State.ts"
import { Store } from "../store/Store.ts"

export const layer = Layer.effect(
  Suppressions,
  Effect.map(Store, (store) =>
    Suppressions.of({
      key: () => store.readTenant(({ suppressionKey }) => suppressionKey),
      keepKey: (sealed) =>
        store.writeTenant(({ suppressionKey }) => {
          const kept = suppressionKey ?? sealed
          return [kept, { suppressionKey: kept }]
        }),
      resealKey: (sealed) =>
        store.writeTenant(({ suppressionKey }) => [
          undefined,
          { suppressionKey: suppressionKey === null ? null : sealed }
        ]),
      find: (digests) =>
        store.readTenant(({ suppressions }) =>
          [...new Set(digests)].flatMap((digest) => {
            const at = rowAt(suppressions, digest)
            return at === null ? [] : [{ digest, at }]
          })
        ),
      add: (added) =>
        store.writeTenant(({ suppressions }) => [
          undefined,
          {
            suppressions: added.reduce((kept, { at, digest }) => {
              const before = rowAt(kept, digest)
              return HashMap.set(kept, digest, before === null ? at : DateTime.max(before, at))
            }, suppressions)
          }
        ]),
      remove: (digests) =>
        store.writeTenant(({ suppressions }) => [
          undefined,
          { suppressions: digests.reduce((kept, digest) => HashMap.remove(kept, digest), suppressions) }
        ])
    })
  )
)
