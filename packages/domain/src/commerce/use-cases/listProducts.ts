import { Effect } from "effect"
import { paged, type PageRequest, useCase } from "../../kernel/index.ts"
import type { CommerceQuery } from "../commerce/CommerceQuery.ts"
import { requireStore } from "../commerce/requireAsked.ts"
import { StoreProducts } from "../StoreProducts.ts"

/** Reads the products of stores, newest first. */
export const listProducts = useCase(
  "products.list",
  { access: { permission: "commerce.read" } },
  Effect.fnUntraced(function* (query: Omit<CommerceQuery, "contactId">, page: PageRequest) {
    yield* requireStore(query)
    const products = yield* StoreProducts
    const { data, nextCursor } = yield* paged(
      "commerce/products",
      page,
      (slice) => products.list(query, slice),
      ({ product }) => [product.id]
    )
    return { data: data.map(({ product }) => product), nextCursor }
  })
)
