import { Effect } from "effect"
import { useCase } from "../../kernel/index.ts"
import type { StoreCustomerId } from "../Ids.ts"
import { StoreCustomers } from "../StoreCustomers.ts"

/** Reads one customer of a store. */
export const getStoreCustomer = useCase(
  "storeCustomers.get",
  { access: { permission: "commerce.read" } },
  Effect.fnUntraced(function* (id: StoreCustomerId) {
    return (yield* (yield* StoreCustomers).get(id)).customer
  })
)
