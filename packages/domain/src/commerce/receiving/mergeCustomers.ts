import { Effect } from "effect"
import type { StoreConnection } from "../StoreConnection.ts"
import { StoreCarts } from "../StoreCarts.ts"
import { StoreCustomers } from "../StoreCustomers.ts"
import { StoreOrders } from "../StoreOrders.ts"
import { deleteRecords } from "./deleteRecords.ts"
import { markChanged } from "./markChanged.ts"
import { tellStored } from "./tellStored.ts"
import { underStore } from "./underStore.ts"

/**
 * Takes that a shop has made one customer of two. What the merged one has ordered is the kept one's; their contacts stay two. What was read before that
 * comes late, so all of it is read again.
 */
export const mergeCustomers = ({ id }: Pick<StoreConnection, "id">, keptId: string, mergedId: string) =>
  underStore(
    id,
    Effect.fnUntraced(function* (_connection, now) {
      const [orders, carts] = [yield* StoreOrders, yield* StoreCarts]
      const known = yield* (yield* StoreCustomers).lock(id, [keptId, mergedId])
      const kept = known.find(({ customer }) => customer.externalId === keptId)
      const contactId = kept?.customer.contactId ?? null
      const theirs = yield* orders.lockOfCustomer(id, mergedId)
      const moved = <Row extends { readonly record: { readonly externalCustomerId: string | null } }>(
        row: Row
      ): Row => ({
        ...row,
        contactId,
        record: { ...row.record, externalCustomerId: keptId },
        updatedAt: now
      })
      yield* orders.put(theirs.map(moved))
      yield* tellStored(
        id,
        theirs.map((before) => ({ before, after: moved(before) }))
      )
      yield* carts.put((yield* carts.lockOfCustomer(id, mergedId)).map(moved))
      yield* deleteRecords({ id }, "customers", [mergedId])
      yield* markChanged(id, [
        { kind: "customers", externalId: keptId },
        ...theirs.map(({ record: { externalId } }) => ({ kind: "orders" as const, externalId }))
      ])
    })
  )
