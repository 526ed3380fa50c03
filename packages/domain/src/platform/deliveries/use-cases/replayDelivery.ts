import { Effect } from "effect"
import { transact, useCase } from "../../../kernel/index.ts"
import type { DeliveryId } from "../Delivery.ts"
import { moveDelivery } from "../moveDelivery.ts"

/** Has a delivery worked through again. What it told before changes nothing a second time. */
export const replayDelivery = useCase(
  "deliveries.replay",
  { access: "operator" },
  Effect.fnUntraced(function* (id: DeliveryId) {
    return yield* moveDelivery(id, "waiting", null)
  }, transact)
)
