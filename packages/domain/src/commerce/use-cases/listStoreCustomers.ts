import { Effect } from "effect"
import { paged, type PageRequest, useCase } from "../../kernel/index.ts"
import type { CommerceQuery } from "../commerce/CommerceQuery.ts"
import { requireAsked } from "../commerce/requireAsked.ts"
import { StoreCustomers } from "../StoreCustomers.ts"

/** Reads the customers of stores, newest first. */
export const listStoreCustomers = useCase(
  "storeCustomers.list",
  { access: { permission: "commerce.read" } },
  Effect.fnUntraced(function* (query: CommerceQuery, page: PageRequest) {
    yield* requireAsked(query)
    const customers = yield* StoreCustomers
    const { data, nextCursor } = yield* paged(
      "commerce/customers",
      page,
      (slice) => customers.list(query, slice),
      ({ customer }) => [customer.id]
    )
    return { data: data.map(({ customer }) => customer), nextCursor }
  })
)
