import { type SkippedKey, SkippedRecord, SkippedRecords, type StoreConnectionId } from "@parley/domain/commerce"
import { DateTime, Effect, HashMap, Layer } from "effect"
import { rowAt, type Tenant } from "../store/State.ts"
import { Store } from "../store/Store.ts"

const keyOf = (id: StoreConnectionId, { externalId, kind }: SkippedKey) => `${id} ${kind} ${externalId}`

const isBefore = (left: SkippedKey, right: SkippedKey): boolean =>
  left.kind === right.kind ? left.externalId < right.externalId : left.kind < right.kind

const rowsOf = ({ storeSkippedRecords }: Tenant, id: StoreConnectionId) =>
  HashMap.toValues(storeSkippedRecords)
    .filter(({ storeConnectionId }) => storeConnectionId === id)
    .toSorted((left, right) => (isBefore(left.record, right.record) ? -1 : 1))

export const layer = Layer.effect(
  SkippedRecords,
  Effect.map(Store, (store) =>
    SkippedRecords.of({
      put: (records, max) =>
        store.writeTenant((tenant) => {
          let rows = tenant.storeSkippedRecords
          for (const row of records) {
            const key = keyOf(row.storeConnectionId, row.record)
            const known = rowAt(rows, key)
            const count = rowsOf({ ...tenant, storeSkippedRecords: rows }, row.storeConnectionId).length
            if (known === null && count >= max) continue
            const createdAt = known?.record.createdAt ?? row.record.createdAt
            rows = HashMap.set(rows, key, { ...row, record: new SkippedRecord({ ...row.record, createdAt }) })
          }
          return [undefined, { storeSkippedRecords: rows }]
        }),
      remove: (id, keys) =>
        store.writeTenant(({ storeSkippedRecords }) => [
          undefined,
          {
            storeSkippedRecords: HashMap.removeMany(
              storeSkippedRecords,
              keys.map((key) => keyOf(id, key))
            )
          }
        ]),
      list: (id, { after, limit }) =>
        store.readTenant((tenant) => {
          const [kind = "", externalId = ""] = after ?? []
          const isAfter = ({ record }: { readonly record: SkippedKey }) =>
            record.kind === kind ? record.externalId > externalId : record.kind > kind
          return rowsOf(tenant, id).filter(isAfter).slice(0, limit)
        }),
      counts: (ids) =>
        store.readTenant((tenant) =>
          [...new Set(ids)]
            .map((storeConnectionId) => ({ storeConnectionId, count: rowsOf(tenant, storeConnectionId).length }))
            .filter(({ count }) => count > 0)
        ),
      outdated: (id, version, limit) =>
        store.readTenant((tenant) =>
          rowsOf(tenant, id)
            .filter(({ readerVersion }) => readerVersion !== version)
            .slice(0, limit)
        ),
      expire: (id, before) =>
        store.writeTenant(({ storeSkippedRecords }) => [
          undefined,
          {
            storeSkippedRecords: HashMap.map(storeSkippedRecords, (row) =>
              row.storeConnectionId === id && DateTime.isLessThan(row.record.updatedAt, before)
                ? { ...row, readerVersion: "" }
                : row
            )
          }
        ])
    })
  )
)
