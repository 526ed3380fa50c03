import { DateTime, Effect } from "effect"
import { Contacts, type ContactId } from "../../../crm/index.ts"
import {
  type CartId,
  type OrderId,
  shownCarts,
  shownOrders,
  StoreCarts,
  type StoreLine,
  StoreOrders
} from "../../../commerce/index.ts"
import { groupFacts } from "./Facts.ts"

const productIdsOf = (lines: ReadonlyArray<StoreLine>) => [
  ...new Set(lines.flatMap(({ productId }) => productId ?? []))
]

const skusOf = (lines: ReadonlyArray<StoreLine>) => [...new Set(lines.flatMap(({ sku }) => sku ?? []))]

const itemsOf = (lines: ReadonlyArray<StoreLine>) => lines.reduce((sum, { quantity }) => sum + quantity, 0)

/** Whether the contact placed no order that counts before then. */
const isFirstOrder = Effect.fnUntraced(function* (contactId: ContactId, placedAt: DateTime.Utc) {
  const before = { kind: "known", condition: "first_order_before", values: [DateTime.formatIso(placedAt)] } as const
  const filter = { kind: "all", of: [{ kind: "oneOf", ids: [contactId] }, before] } as const
  return (yield* (yield* Contacts).countOf({ filter, search: null })) === 0
})

/** What is known of an order. */
export const orderFacts = Effect.fnUntraced(function* (id: OrderId, contactId: ContactId) {
  const [order] = yield* shownOrders([yield* (yield* StoreOrders).get(id)])
  if (order === undefined) return []
  const { fulfilmentStatus, lines, name, paymentStatus, placedAt, statusUrl, storeConnectionId, total } = order
  const facts = groupFacts("order", {
    id,
    name,
    total,
    itemCount: itemsOf(lines),
    productIds: productIdsOf(lines),
    skus: skusOf(lines),
    paymentStatus,
    fulfilmentStatus,
    storeConnectionId,
    placedAt,
    isFirst: yield* isFirstOrder(contactId, placedAt),
    statusUrl
  })
  return [facts]
})

/** What is known of a cart. */
export const cartFacts = Effect.fnUntraced(function* (id: CartId) {
  const carts = yield* shownCarts([yield* (yield* StoreCarts).get(id)])
  return carts.map(({ lastActivityAt, lines, recoveryUrl, storeConnectionId, total }) =>
    groupFacts("cart", {
      id,
      total,
      itemCount: itemsOf(lines),
      productIds: productIdsOf(lines),
      skus: skusOf(lines),
      storeConnectionId,
      lastActivityAt,
      recoveryUrl
    })
  )
})
