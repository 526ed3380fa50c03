import { Effect } from "effect"
import { useCase } from "../../../kernel/index.ts"
import { Deliveries } from "../Deliveries.ts"
import type { DeliveryId } from "../Delivery.ts"

/** A delivery, with the bytes that came. */
export const showDelivery = useCase(
  "deliveries.show",
  { access: "operator" },
  Effect.fnUntraced(function* (id: DeliveryId) {
    return yield* (yield* Deliveries).get(id)
  })
)
