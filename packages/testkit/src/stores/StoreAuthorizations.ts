import { StoreAuthorizations } from "@parley/domain"
import { DateTime, Effect, HashMap, Layer } from "effect"
import { Store } from "../store/Store.ts"

export const layer = Layer.effect(
  StoreAuthorizations,
  Effect.map(Store, (store) =>
    StoreAuthorizations.of({
      insert: (digest, authorization, expiresAt) =>
        store.writeTenant(({ storeAuthorizations }) => [
          undefined,
          { storeAuthorizations: HashMap.set(storeAuthorizations, digest, { authorization, expiresAt }) }
        ]),
      sweep: Effect.fnUntraced(function* () {
        const before = DateTime.subtract(yield* DateTime.now, { days: 1 })
        return yield* store.writeTenant(({ storeAuthorizations: all }) => {
          const storeAuthorizations = HashMap.filter(all, ({ expiresAt }) => DateTime.isGreaterThan(expiresAt, before))
          return [HashMap.size(all) - HashMap.size(storeAuthorizations), { storeAuthorizations }]
        })
      })
    })
  )
)
