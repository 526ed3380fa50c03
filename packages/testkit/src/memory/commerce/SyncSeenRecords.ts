import { type StaleRecordKind, type SyncTarget, type StoreConnectionId, SyncSeenRecords } from "@parley/domain/commerce"
import { DateTime, Effect, HashMap, Layer } from "effect"
import { rowAt, type Tenant } from "../store/State.ts"
import { Store } from "../store/Store.ts"

const keyOf = ({ kind, storeConnectionId }: Omit<SyncTarget, "jobId">, externalId: string) =>
  `${storeConnectionId} ${kind} ${externalId}`

/** A stored record. */
interface Kept {
  readonly storeConnectionId: StoreConnectionId
  readonly externalId: string
  readonly stands: boolean
  readonly updatedAt: DateTime.Utc
}

const keptOf: { readonly [Kind in StaleRecordKind]: (tenant: Tenant) => ReadonlyArray<Kept> } = {
  orders: ({ storeOrders }) =>
    HashMap.toValues(storeOrders).map(({ deletedAt, record: { externalId }, storeConnectionId, updatedAt }) => ({
      storeConnectionId,
      externalId,
      stands: deletedAt === null,
      updatedAt
    })),
  customers: ({ storeCustomers }) =>
    HashMap.toValues(storeCustomers).map(({ closedAt, customer }) => ({ ...customer, stands: closedAt === null })),
  products: ({ storeProducts }) =>
    HashMap.toValues(storeProducts).map(({ product }) => ({ ...product, stands: product.status !== "deleted" }))
}

const isOld = ({ stands, updatedAt }: Kept, before: DateTime.Utc) => stands && DateTime.isLessThan(updatedAt, before)

export const layer = Layer.effect(
  SyncSeenRecords,
  Effect.map(Store, (store) =>
    SyncSeenRecords.of({
      see: (sought, externalIds) =>
        store.writeTenant(({ syncSeenRecords }) => [
          undefined,
          {
            syncSeenRecords: externalIds.reduce(
              (all, externalId) => HashMap.set(all, keyOf(sought, externalId), sought),
              syncSeenRecords
            )
          }
        ]),
      isAnyKept: (storeConnectionId, kind, before) =>
        store.readTenant((tenant) =>
          keptOf[kind](tenant).some((kept) => kept.storeConnectionId === storeConnectionId && isOld(kept, before))
        ),
      unseen: (sought, before, after, limit) =>
        store.readTenant((tenant) => {
          const looked = keptOf[sought.kind](tenant)
            .filter(
              ({ externalId, storeConnectionId }) =>
                storeConnectionId === sought.storeConnectionId && (after === null || externalId > after)
            )
            .toSorted((one, other) => (one.externalId < other.externalId ? -1 : 1))
            .slice(0, limit)
          return {
            externalIds: looked.flatMap((kept) => {
              const isSeen = rowAt(tenant.syncSeenRecords, keyOf(sought, kept.externalId))?.jobId === sought.jobId
              return isOld(kept, before) && !isSeen ? [kept.externalId] : []
            }),
            last: looked.length < limit ? null : (looked.at(-1)?.externalId ?? null)
          }
        }),
      forget: (storeConnectionId, limit) =>
        store.writeTenant(({ syncSeenRecords }) => {
          const gone = HashMap.toEntries(syncSeenRecords)
            .flatMap(([key, seen]) => (seen.storeConnectionId === storeConnectionId ? [key] : []))
            .slice(0, limit)
          return [gone.length, { syncSeenRecords: HashMap.removeMany(syncSeenRecords, gone) }]
        })
    })
  )
)
