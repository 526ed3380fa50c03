import { StoreAuthorizationRedemption } from "@parley/domain/commerce"
import { DateTime, Effect, HashMap, Layer } from "effect"
import { rowAt, withTenant } from "../store/State.ts"
import { Store } from "../store/Store.ts"

export const layer = Layer.effect(
  StoreAuthorizationRedemption,
  Effect.map(Store, (store) =>
    StoreAuthorizationRedemption.of({
      redeem: (digest, now) =>
        store.write((state) => {
          for (const [organizationId, { storeAuthorizations }] of HashMap.toEntries(state.tenants)) {
            const row = rowAt(storeAuthorizations, digest)
            if (row === null || DateTime.isLessThanOrEqualTo(row.expiresAt, now)) continue
            const left = { storeAuthorizations: HashMap.remove(storeAuthorizations, digest) }
            return [{ ...row.authorization, organizationId }, withTenant(state, organizationId, left)]
          }
          return [null, state]
        })
    })
  )
)
