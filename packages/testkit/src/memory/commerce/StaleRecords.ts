import { type StaleRecord, StaleRecords } from "@parley/domain/commerce"
import { DateTime, Effect, HashMap, Layer, Order } from "effect"
import { rowAt, type Tenant } from "../store/State.ts"
import { Store } from "../store/Store.ts"

const keyOf = ({ externalId, kind, storeConnectionId }: StaleRecord) => `${storeConnectionId} ${kind} ${externalId}`

const oldestFirst = Order.combine(
  Order.mapInput(DateTime.Order, ({ toldAt }: StaleRecord) => toldAt),
  Order.mapInput(Order.String, ({ externalId }: StaleRecord) => externalId)
)

const rowsOf = ({ staleRecords }: Tenant) => HashMap.toValues(staleRecords)

export const layer = Layer.effect(
  StaleRecords,
  Effect.map(Store, (store) =>
    StaleRecords.of({
      mark: (marks) =>
        store.writeTenant(({ staleRecords }) => [
          undefined,
          {
            staleRecords: marks.reduce((all, mark) => {
              const before = rowAt(all, keyOf(mark))
              const toldAt = before === null ? mark.toldAt : DateTime.min(before.toldAt, mark.toldAt)
              return HashMap.set(all, keyOf(mark), { ...mark, toldAt })
            }, staleRecords)
          }
        ]),
      oldest: (storeConnectionId, kind, limit) =>
        store.readTenant((tenant) =>
          rowsOf(tenant)
            .filter((mark) => mark.storeConnectionId === storeConnectionId && mark.kind === kind)
            .toSorted(oldestFirst)
            .slice(0, limit)
        ),
      drop: (marks) =>
        store.writeTenant(({ staleRecords }) => [
          undefined,
          { staleRecords: HashMap.filter(staleRecords, ({ id }) => !marks.some((mark) => mark.id === id)) }
        ]),
      oldestOf: (storeConnectionIds) =>
        store.readTenant((tenant) =>
          storeConnectionIds.flatMap((storeConnectionId) => {
            const [oldest] = rowsOf(tenant)
              .filter((mark) => mark.storeConnectionId === storeConnectionId)
              .toSorted(oldestFirst)
            return oldest === undefined ? [] : [{ storeConnectionId, toldAt: oldest.toldAt }]
          })
        )
    })
  )
)
