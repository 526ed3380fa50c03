import { type DateTime, Effect } from "effect"
import { nextId } from "../../kernel/index.ts"
import { unknownCustomer } from "../customers/toldCustomer.ts"
import { erasedCustomer } from "../holding/moves.ts"
import { OrderId, ProductId, StoreCustomerId } from "../Ids.ts"
import { deletedOrder } from "../orders/toldOrder.ts"
import { unknownOrder } from "../orders/unknownOrder.ts"
import { deletedProduct, unknownProduct } from "../products/toldProduct.ts"
import type { StoreConnection } from "../StoreConnection.ts"
import { StoreCustomers } from "../StoreCustomers.ts"
import { StoreOrders } from "../StoreOrders.ts"
import { StoreProducts } from "../StoreProducts.ts"
import type { MarkedKind } from "../StoreSignal.ts"
import { byExternalId } from "./latest.ts"
import { underStore } from "./underStore.ts"

const deleteOrders = Effect.fnUntraced(function* (
  connection: StoreConnection,
  externalIds: ReadonlyArray<string>,
  now: DateTime.Utc
) {
  const orders = yield* StoreOrders
  const kept = byExternalId(yield* orders.lock(connection.id, externalIds), ({ record }) => record.externalId)
  const gone = yield* Effect.forEach(externalIds, (externalId) => {
    const before = kept.get(externalId)
    return before === undefined
      ? Effect.map(nextId(OrderId), (id) => unknownOrder(id, connection, externalId, now))
      : Effect.succeed(before.deletedAt === null ? deletedOrder(before, now) : null)
  })
  yield* orders.put(gone.filter((order) => order !== null))
})

const deleteCustomers = Effect.fnUntraced(function* (
  connection: StoreConnection,
  externalIds: ReadonlyArray<string>,
  now: DateTime.Utc
) {
  const customers = yield* StoreCustomers
  const kept = byExternalId(yield* customers.lock(connection.id, externalIds), ({ customer }) => customer.externalId)
  const gone = yield* Effect.forEach(externalIds, (externalId) => {
    const before = kept.get(externalId)
    return before === undefined
      ? Effect.map(nextId(StoreCustomerId), (id) => unknownCustomer(id, connection, externalId, now))
      : Effect.succeed(before.closedAt === null ? erasedCustomer(before, now) : null)
  })
  yield* customers.put(gone.filter((customer) => customer !== null))
})

const deleteProducts = Effect.fnUntraced(function* (
  connection: StoreConnection,
  externalIds: ReadonlyArray<string>,
  now: DateTime.Utc
) {
  const products = yield* StoreProducts
  const kept = byExternalId(yield* products.lock(connection.id, externalIds), ({ product }) => product.externalId)
  const gone = yield* Effect.forEach(externalIds, (externalId) => {
    const before = kept.get(externalId)
    return before === undefined
      ? Effect.map(nextId(ProductId), (id) => unknownProduct(id, connection, externalId, now))
      : Effect.succeed(before.product.status === "deleted" ? null : deletedProduct(before, now))
  })
  yield* products.put(gone.filter((product) => product !== null))
})

const deleteAll = Effect.fnUntraced(function* (
  connection: StoreConnection,
  kind: MarkedKind,
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
 * Takes that a shop does not have records any more: nothing personal is kept of them, and what is read of them late does not bring them back,
 * also where it comes first.
 */
export const deleteRecords = (
  { id }: Pick<StoreConnection, "id">,
  kind: MarkedKind,
  externalIds: ReadonlyArray<string>
) =>
  externalIds.length === 0
    ? Effect.void
    : underStore(id, (connection, now) => deleteAll(connection, kind, [...new Set(externalIds)], now))
