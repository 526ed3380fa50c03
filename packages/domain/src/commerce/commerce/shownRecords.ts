import { Effect } from "effect"
import type { KeptCart } from "../Cart.ts"
import type { KeptOrder } from "../Order.ts"
import { StoreCustomers } from "../StoreCustomers.ts"
import { StoreProducts } from "../StoreProducts.ts"
import { refsOf, showing } from "./shown.ts"

const showingAll = Effect.fnUntraced(function* (records: Parameters<typeof refsOf>[0]) {
  const { customers, products } = refsOf(records)
  return showing({
    customerIds: yield* (yield* StoreCustomers).idsOf(customers),
    productIds: yield* (yield* StoreProducts).idsOf(products)
  })
})

/** Orders with what they refer to. */
export const shownOrders = (orders: ReadonlyArray<KeptOrder>) =>
  Effect.map(showingAll(orders), (show) => orders.map(show.order))

/** Carts with what they refer to. */
export const shownCarts = (carts: ReadonlyArray<KeptCart>) =>
  Effect.map(showingAll(carts), (show) => carts.map(show.cart))
