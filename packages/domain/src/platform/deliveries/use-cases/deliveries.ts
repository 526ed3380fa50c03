import { DateTime, Effect } from "effect"
import { paged, type PageRequest, transact, useCase } from "../../../kernel/index.ts"
import { recordAudit } from "../../audit/index.ts"
import { InboundDeliveries, type InboundDeliveryId, type InboundDeliveryState } from "../InboundDeliveries.ts"

/** Moves a delivery manually and records an audit entry. */
const moveDelivery = Effect.fnUntraced(function* (
  id: InboundDeliveryId,
  to: "waiting" | "parked",
  reason: string | null
) {
  const deliveries = yield* InboundDeliveries
  const { delivery: before } = yield* deliveries.get(id)
  const after = yield* deliveries.move(id, to, reason, yield* DateTime.now)
  if (before.state !== after.state) {
    yield* recordAudit(
      to === "parked" ? "delivery.parked" : "delivery.replayed",
      { kind: "delivery", id },
      { before: { state: before.state, reason: before.reason }, after: { state: after.state, reason: after.reason } }
    )
  }
  return after
})

/** Lists the deliveries to the organization, newest first, optionally in one state. */
export const listInboundDeliveries = useCase(
  { name: "deliveries.list", access: "operator" },
  Effect.fnUntraced(function* ({
    state = null,
    page
  }: {
    readonly state?: InboundDeliveryState | null
    readonly page: PageRequest
  }) {
    const deliveries = yield* InboundDeliveries
    return yield* paged(
      `deliveries:${state ?? ""}`,
      page,
      (slice) => deliveries.list(state, slice),
      ({ id }) => [id]
    )
  })
)

/** Parks a delivery. It is not processed until a replay. */
export const parkInboundDelivery = useCase(
  { name: "deliveries.park", access: "operator", audit: "delivery.parked" },
  Effect.fnUntraced(function* ({ id, reason }: { readonly id: InboundDeliveryId; readonly reason: string }) {
    return yield* moveDelivery(id, "parked", reason)
  }, transact)
)

/** Schedules a delivery for replay. Already applied events have no second effect. */
export const replayInboundDelivery = useCase(
  { name: "deliveries.replay", access: "operator", audit: "delivery.replayed" },
  Effect.fnUntraced(function* ({ id }: { readonly id: InboundDeliveryId }) {
    return yield* moveDelivery(id, "waiting", null)
  }, transact)
)

/** Reads a delivery with its bytes. */
export const getInboundDelivery = useCase(
  { name: "deliveries.show", access: "operator" },
  Effect.fnUntraced(function* ({ id }: { readonly id: InboundDeliveryId }) {
    return yield* (yield* InboundDeliveries).get(id)
  })
)
