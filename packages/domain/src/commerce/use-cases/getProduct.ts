import { Effect } from "effect"
import { useCase } from "../../kernel/index.ts"
import type { ProductId } from "../Ids.ts"
import { StoreProducts } from "../StoreProducts.ts"

/** Reads one product of a store. */
export const getProduct = useCase(
  "products.get",
  { access: { permission: "commerce.read" } },
  Effect.fnUntraced(function* (id: ProductId) {
    return (yield* (yield* StoreProducts).get(id)).product
  })
)
