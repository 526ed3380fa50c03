import { Effect } from "effect"
import { NotFound, useCase } from "../../kernel/index.ts"
import { shownCarts } from "../commerce/shownRecords.ts"
import type { CartId } from "../Ids.ts"
import { StoreCarts } from "../StoreCarts.ts"

/** Reads one cart of a store. */
export const getCart = useCase(
  "carts.get",
  { access: { permission: "commerce.read" } },
  Effect.fnUntraced(function* (id: CartId) {
    const [cart] = yield* shownCarts([yield* (yield* StoreCarts).get(id)])
    return cart ?? (yield* new NotFound({ resource: "cart" }))
  })
)
