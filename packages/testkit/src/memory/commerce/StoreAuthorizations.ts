import { type ParkedCodeClaim, type ParkedStoreCode, StoreAuthorizations } from "@parley/domain"
import { DateTime, Effect, HashMap, Layer } from "effect"
import { rowAt } from "../store/State.ts"
import { Store } from "../store/Store.ts"

const fits = (parked: ParkedStoreCode, { actor, codeChallenge, storeConnectionId }: ParkedCodeClaim): boolean =>
  parked.storeConnectionId === storeConnectionId &&
  parked.codeChallenge === codeChallenge &&
  parked.actor.kind === actor.kind &&
  parked.actor.id === actor.id

const unexpired = <Row extends { readonly expiresAt: DateTime.Utc }>(
  rows: HashMap.HashMap<string, Row>,
  expiredBy: DateTime.Utc
) => HashMap.filter(rows, ({ expiresAt }) => DateTime.isGreaterThan(expiresAt, expiredBy))

export const layer = Layer.effect(
  StoreAuthorizations,
  Effect.map(Store, (store) =>
    StoreAuthorizations.of({
      insert: (digest, authorization, expiresAt) =>
        store.writeTenant(({ storeAuthorizations }) => [
          undefined,
          { storeAuthorizations: HashMap.set(storeAuthorizations, digest, { authorization, expiresAt }) }
        ]),
      park: (digest, parked, expiresAt) =>
        store.writeTenant(({ storeParkedCodes }) => [
          undefined,
          { storeParkedCodes: HashMap.set(storeParkedCodes, digest, { parked, expiresAt }) }
        ]),
      takeParked: (claim, now) =>
        Effect.andThen(
          store.exclusive,
          store.writeTenant(({ storeParkedCodes }) => {
            const row = rowAt(storeParkedCodes, claim.digest)
            return row === null || DateTime.isLessThanOrEqualTo(row.expiresAt, now) || !fits(row.parked, claim)
              ? [null, {}]
              : [row.parked, { storeParkedCodes: HashMap.remove(storeParkedCodes, claim.digest) }]
          })
        ),
      sweep: Effect.fnUntraced(function* () {
        const now = yield* DateTime.now
        return yield* store.writeTenant((tenant) => {
          const storeAuthorizations = unexpired(tenant.storeAuthorizations, DateTime.subtract(now, { days: 1 }))
          const storeParkedCodes = unexpired(tenant.storeParkedCodes, now)
          const swept =
            HashMap.size(tenant.storeAuthorizations) -
            HashMap.size(storeAuthorizations) +
            HashMap.size(tenant.storeParkedCodes) -
            HashMap.size(storeParkedCodes)
          return [swept, { storeAuthorizations, storeParkedCodes }]
        })
      })
    })
  )
)
