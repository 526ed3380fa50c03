import { DateTime, Effect } from "effect"
import { record } from "../audit/index.ts"
import { Deliveries } from "./Deliveries.ts"
import type { DeliveryId } from "./Delivery.ts"

/** Moves a delivery by hand, and leaves the trace of it. */
export const moveDelivery = Effect.fnUntraced(function* (
  id: DeliveryId,
  to: "waiting" | "parked",
  reason: string | null
) {
  const deliveries = yield* Deliveries
  const { delivery: before } = yield* deliveries.get(id)
  const after = yield* deliveries.move(id, to, reason, yield* DateTime.now)
  if (before.state !== after.state) {
    yield* record(
      to === "parked" ? "delivery.parked" : "delivery.replayed",
      { kind: "delivery", id },
      { before: { state: before.state, reason: before.reason }, after: { state: after.state, reason: after.reason } }
    )
  }
  return after
})
