import { Effect } from "effect"
import { NotFound, useCase } from "../../kernel/index.ts"
import { shownOrders } from "../commerce/shownRecords.ts"
import type { OrderId } from "../Ids.ts"
import { StoreOrders } from "../StoreOrders.ts"

/** Reads one order of a store. */
export const getOrder = useCase(
  "orders.get",
  { access: { permission: "commerce.read" } },
  Effect.fnUntraced(function* (id: OrderId) {
    const [order] = yield* shownOrders([yield* (yield* StoreOrders).get(id)])
    return order ?? (yield* new NotFound({ resource: "order" }))
  })
)
