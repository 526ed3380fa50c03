import { Effect } from "effect"
import { paged, type PageRequest, useCase } from "../../../kernel/index.ts"
import { Deliveries } from "../Deliveries.ts"
import type { DeliveryState } from "../Delivery.ts"

/** The deliveries to the organization, newest first: all of them, or those in one state. */
export const listDeliveries = useCase(
  "deliveries.list",
  { access: "operator" },
  Effect.fnUntraced(function* (state: DeliveryState | null, request: PageRequest) {
    const deliveries = yield* Deliveries
    return yield* paged(
      `deliveries:${state ?? ""}`,
      request,
      (slice) => deliveries.list(state, slice),
      ({ id }) => [id]
    )
  })
)
