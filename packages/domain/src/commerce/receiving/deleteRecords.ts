import { type DateTime, Effect } from "effect"
import { nextId } from "../../kernel/index.ts"
import { StoreCarts } from "../Cart.ts"
import { OrderId, ProductId, StoreCustomerId } from "../Ids.ts"
import { StoreOrders } from "../Order.ts"
import { StoreProducts } from "../Product.ts"
import type { StaleRecordKind } from "../Shop.ts"
import type { StoreConnection } from "../StoreConnection.ts"
import { withStoreLock } from "../StoreConnections.ts"
import { StoreCustomers } from "../StoreCustomer.ts"
import { markStale } from "../StaleRecords.ts"
import { eraseCustomer } from "../contactTransfers.ts"
import { newClosedCustomer } from "../customerIdentities.ts"
import { indexByExternalId } from "../recordRules.ts"
import { markOrderDeleted, newDeletedOrder } from "../orderReports.ts"
import { publishStoredOrders } from "./receiveOrders.ts"
import { markProductDeleted, newDeletedProduct } from "./receiveProducts.ts"

const deleteOrders = Effect.fnUntraced(function* (
  connection: StoreConnection,
  externalIds: ReadonlyArray<string>,
  now: DateTime.Utc
) {
  const orders = yield* StoreOrders
  const kept = indexByExternalId(yield* orders.lock(connection.id, externalIds), ({ record }) => record.externalId)
  const gone = yield* Effect.forEach(externalIds, (externalId) => {
    const before = kept.get(externalId)
    return before === undefined
      ? Effect.map(nextId(OrderId), (id) => newDeletedOrder(id, connection, externalId, now))
      : Effect.succeed(before.deletedAt === null ? markOrderDeleted(before, now) : null)
  })
  yield* orders.put(gone.filter((order) => order !== null))
})

const deleteCustomers = Effect.fnUntraced(function* (
  connection: StoreConnection,
  externalIds: ReadonlyArray<string>,
  now: DateTime.Utc
) {
  const customers = yield* StoreCustomers
  const kept = indexByExternalId(
    yield* customers.lock(connection.id, externalIds),
    ({ customer }) => customer.externalId
  )
  const gone = yield* Effect.forEach(externalIds, (externalId) => {
    const before = kept.get(externalId)
    return before === undefined
      ? Effect.map(nextId(StoreCustomerId), (id) => newClosedCustomer(id, connection, externalId, now))
      : Effect.succeed(before.closedAt === null ? eraseCustomer(before, now) : null)
  })
  yield* customers.put(gone.filter((customer) => customer !== null))
})

const deleteProducts = Effect.fnUntraced(function* (
  connection: StoreConnection,
  externalIds: ReadonlyArray<string>,
  now: DateTime.Utc
) {
  const products = yield* StoreProducts
  const kept = indexByExternalId(yield* products.lock(connection.id, externalIds), ({ product }) => product.externalId)
  const gone = yield* Effect.forEach(externalIds, (externalId) => {
    const before = kept.get(externalId)
    return before === undefined
      ? Effect.map(nextId(ProductId), (id) => newDeletedProduct(id, connection, externalId, now))
      : Effect.succeed(before.product.status === "deleted" ? null : markProductDeleted(before, now))
  })
  yield* products.put(gone.filter((product) => product !== null))
})

const deleteAll = Effect.fnUntraced(function* (
  connection: StoreConnection,
  kind: StaleRecordKind,
  externalIds: ReadonlyArray<string>,
  now: DateTime.Utc
) {
  switch (kind) {
    case "customers":
      return yield* deleteCustomers(connection, externalIds, now)
    case "orders":
      return yield* deleteOrders(connection, externalIds, now)
    case "products":
      return yield* deleteProducts(connection, externalIds, now)
  }
})

/**
 * Deletes records that a shop has deleted: no personal data of them stays. Late reads do not restore them. A deletion can also arrive before the
 * first report of a record.
 */
export const deleteRecords = (
  { id }: Pick<StoreConnection, "id">,
  kind: StaleRecordKind,
  externalIds: ReadonlyArray<string>
) =>
  externalIds.length === 0
    ? Effect.void
    : withStoreLock(id, (connection, now) => deleteAll(connection, kind, [...new Set(externalIds)], now))

/**
 * Handles a merge of two customers in a shop. The orders of the merged customer move to the remaining one. Their contacts stay separate. Older reads
 * can still arrive, so the remaining customer and the moved orders are read again.
 */
export const mergeCustomers = ({ id }: Pick<StoreConnection, "id">, keptId: string, mergedId: string) =>
  withStoreLock(
    id,
    Effect.fnUntraced(function* (_connection, now) {
      const [orders, carts] = [yield* StoreOrders, yield* StoreCarts]
      const known = yield* (yield* StoreCustomers).lock(id, [keptId, mergedId])
      const kept = known.find(({ customer }) => customer.externalId === keptId)
      const contactId = kept?.customer.contactId ?? null
      const theirs = yield* orders.lockReferenced(id, { externalIds: [], externalCustomerIds: [mergedId] })
      const moved = <Row extends { readonly record: { readonly externalCustomerId: string | null } }>(
        row: Row
      ): Row => ({
        ...row,
        contactId,
        record: { ...row.record, externalCustomerId: keptId },
        updatedAt: now
      })
      yield* orders.put(theirs.map(moved))
      yield* publishStoredOrders(
        id,
        theirs.map((before) => ({ before, after: moved(before) }))
      )
      yield* carts.put((yield* carts.lockOfCustomers(id, [mergedId])).map(moved))
      yield* deleteRecords({ id }, "customers", [mergedId])
      yield* markStale(id, [
        { kind: "customers", externalId: keptId },
        ...theirs.map(({ record: { externalId } }) => ({ kind: "orders" as const, externalId }))
      ])
    })
  )
