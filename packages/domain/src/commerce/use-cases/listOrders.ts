import { Effect } from "effect"
import { paged, type PageRequest, useCase } from "../../kernel/index.ts"
import { requireAsked } from "../commerce/requireAsked.ts"
import { shownOrders } from "../commerce/shownRecords.ts"
import { type OrderQuery, StoreOrders } from "../StoreOrders.ts"

/** Reads the orders of stores, newest first. */
export const listOrders = useCase(
  "orders.list",
  { access: { permission: "commerce.read" } },
  Effect.fnUntraced(function* (query: OrderQuery, page: PageRequest) {
    yield* requireAsked(query)
    const orders = yield* StoreOrders
    const { data, nextCursor } = yield* paged(
      "commerce/orders",
      page,
      (slice) => orders.list(query, slice),
      ({ id }) => [id]
    )
    return { data: yield* shownOrders(data), nextCursor }
  })
)
