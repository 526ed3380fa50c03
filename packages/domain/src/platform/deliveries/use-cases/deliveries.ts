import { DateTime, Effect } from "effect"
import { paged, type PageRequest, transact, useCase } from "../../../kernel/index.ts"
import { record } from "../../audit/index.ts"
import { Deliveries, type DeliveryId, type DeliveryState } from "../Deliveries.ts"

/** Moves a delivery by hand, and leaves the trace of it. */
const moveDelivery = Effect.fnUntraced(function* (id: DeliveryId, to: "waiting" | "parked", reason: string | null) {
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

/** Puts a delivery aside: it is not worked through until somebody has it replayed. */
export const parkDelivery = useCase(
  "deliveries.park",
  { access: "operator" },
  Effect.fnUntraced(function* (id: DeliveryId, reason: string) {
    return yield* moveDelivery(id, "parked", reason)
  }, transact)
)

/** Has a delivery worked through again. What it told before changes nothing a second time. */
export const replayDelivery = useCase(
  "deliveries.replay",
  { access: "operator" },
  Effect.fnUntraced(function* (id: DeliveryId) {
    return yield* moveDelivery(id, "waiting", null)
  }, transact)
)

/** A delivery, with the bytes that came. */
export const showDelivery = useCase(
  "deliveries.show",
  { access: "operator" },
  Effect.fnUntraced(function* (id: DeliveryId) {
    return yield* (yield* Deliveries).get(id)
  })
)
