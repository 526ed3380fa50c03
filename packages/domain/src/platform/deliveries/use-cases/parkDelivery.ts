import { Effect } from "effect"
import { transact, useCase } from "../../../kernel/index.ts"
import type { DeliveryId } from "../Delivery.ts"
import { moveDelivery } from "../moveDelivery.ts"

/** Puts a delivery aside: it is not worked through until somebody has it replayed. */
export const parkDelivery = useCase(
  "deliveries.park",
  { access: "operator" },
  Effect.fnUntraced(function* (id: DeliveryId, reason: string) {
    return yield* moveDelivery(id, "parked", reason)
  }, transact)
)
