import { Effect } from "effect"
import { paged, type PageRequest, useCase } from "../../kernel/index.ts"
import { requireAsked } from "../commerce/requireAsked.ts"
import { shownCarts } from "../commerce/shownRecords.ts"
import { type CartQuery, StoreCarts } from "../StoreCarts.ts"

/** Reads the carts of stores, newest first. */
export const listCarts = useCase(
  "carts.list",
  { access: { permission: "commerce.read" } },
  Effect.fnUntraced(function* (query: CartQuery, page: PageRequest) {
    yield* requireAsked(query)
    const carts = yield* StoreCarts
    const { data, nextCursor } = yield* paged(
      "commerce/carts",
      page,
      (slice) => carts.list(query, slice),
      ({ id }) => [id]
    )
    return { data: yield* shownCarts(data), nextCursor }
  })
)
