import {
  type ParkedCodeClaim,
  type ParkedStoreCode,
  type ReservedStoreCode,
  StoreAuthorizations,
  type StoreCodeReservation
} from "@parley/domain/commerce"
import { DateTime, Effect, HashMap, Layer } from "effect"
import { rowAt, type State, type Tenant } from "../store/State.ts"
import type { StoreParkedCodeRow } from "./state.ts"
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

const isReserved = ({ reservedUntil }: StoreParkedCodeRow, now: DateTime.Utc): boolean =>
  reservedUntil !== null && DateTime.isGreaterThan(reservedUntil, now)

/** Whether a code of the shop is reserved in any organization. */
const isExchanging = (state: State, { provider, shopDomain }: ParkedStoreCode, now: DateTime.Utc): boolean =>
  Array.from(HashMap.values(state.tenants)).some(({ storeParkedCodes }) =>
    Array.from(HashMap.values(storeParkedCodes)).some(
      (row) => row.parked.provider === provider && row.parked.shopDomain === shopDomain && isReserved(row, now)
    )
  )

const claimedRow = ({ storeParkedCodes }: Tenant, claim: ParkedCodeClaim, now: DateTime.Utc) => {
  const row = rowAt(storeParkedCodes, claim.digest)
  return row === null || DateTime.isLessThanOrEqualTo(row.expiresAt, now) || !fits(row.parked, claim) ? null : row
}

const reservedRow = ({ storeParkedCodes }: Tenant, { digest, reservedUntil }: ReservedStoreCode) => {
  const row = rowAt(storeParkedCodes, digest)
  return row?.reservedUntil != null && DateTime.Equivalence(row.reservedUntil, reservedUntil) ? row : null
}

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
          { storeParkedCodes: HashMap.set(storeParkedCodes, digest, { parked, expiresAt, reservedUntil: null }) }
        ]),
      reserve: Effect.fnUntraced(function* (claim, now, until) {
        yield* store.exclusive
        const row = yield* store.readTenant((tenant) => claimedRow(tenant, claim, now))
        if (row === null) return { kind: "unknown" } satisfies StoreCodeReservation
        const { parked } = row
        if (yield* store.read((state) => isExchanging(state, parked, now))) {
          return { kind: "in_progress" } satisfies StoreCodeReservation
        }
        const { digest } = claim
        yield* store.writeTenant(({ storeParkedCodes }) => [
          undefined,
          { storeParkedCodes: HashMap.set(storeParkedCodes, digest, { ...row, reservedUntil: until }) }
        ])
        const code = { ...parked, digest, reservedUntil: until }
        return { kind: "reserved", code } satisfies StoreCodeReservation
      }),
      release: (reserved) =>
        store.writeTenant((tenant) => {
          const row = reservedRow(tenant, reserved)
          const { storeParkedCodes } = tenant
          return row === null
            ? [undefined, {}]
            : [
                undefined,
                { storeParkedCodes: HashMap.set(storeParkedCodes, reserved.digest, { ...row, reservedUntil: null }) }
              ]
        }),
      spend: (reserved) =>
        store.writeTenant((tenant) =>
          reservedRow(tenant, reserved) === null
            ? [false, {}]
            : [true, { storeParkedCodes: HashMap.remove(tenant.storeParkedCodes, reserved.digest) }]
        ),
      sweep: Effect.fnUntraced(function* () {
        const now = yield* DateTime.now
        return yield* store.writeTenant((tenant) => {
          const storeAuthorizations = unexpired(tenant.storeAuthorizations, DateTime.subtract(now, { days: 1 }))
          const storeParkedCodes = HashMap.filter(
            tenant.storeParkedCodes,
            (row) => DateTime.isGreaterThan(row.expiresAt, now) || isReserved(row, now)
          )
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
