import { type OrganizationId, transact } from "@parley/domain/kernel"
import {
  type NewInboundDelivery,
  inboundDeliveryLane,
  InboundDelivery,
  InboundDeliveryId,
  InboundDeliveryQueue,
  type LaneLease,
  LaneQueue,
  sharedLane,
  InboundDeliveries
} from "@parley/domain/platform"
import { DateTime, Effect, Schema } from "effect"
import { freshId, freshText, inside } from "../../given.ts"
import { claimLane } from "../background/given.ts"

/** When the deliveries of the contracts come. */
export const noon = DateTime.makeUnsafe("2026-03-01T12:00:00.125Z")

/** Delivery body; providers can send any bytes. */
export const body = new Uint8Array([0, 255, 34, 92, 39, 10, 123, 240, 159, 165, 144])

const encode = Schema.encodeSync(InboundDelivery)

/** A delivery as plain values. */
export const plain = (delivery: InboundDelivery) => encode(delivery)

/** A delivery that has yet to come. */
export const newDelivery = (
  organization: { readonly id: OrganizationId },
  overrides: Partial<NewInboundDelivery> = {}
): NewInboundDelivery => ({
  organizationId: organization.id,
  lane: sharedLane,
  id: freshId(InboundDeliveryId),
  source: "chat",
  provider: "whatsapp",
  digest: freshText("digest"),
  body,
  receivedAt: noon,
  ...overrides
})

/** Takes deliveries in, all in one call. */
export const take = (...deliveries: ReadonlyArray<NewInboundDelivery>) =>
  Effect.flatMap(InboundDeliveryQueue, (inbox) => inbox.store(deliveries))

/** New deliveries to the organization in the store, in their order. */
export const givenDeliveries = Effect.fnUntraced(function* (
  organization: { readonly id: OrganizationId },
  count: number,
  overrides: Partial<NewInboundDelivery> = {}
) {
  const deliveries = Array.from({ length: count }, () => newDelivery(organization, overrides))
  yield* take(...deliveries)
  return deliveries
})

/** Claims the organization's lane as a process that took over from all others; `null` when nothing is due there. */
export const claim = (organization: { readonly id: OrganizationId }, now = noon, lane = sharedLane) =>
  claimLane(inboundDeliveryLane(organization.id, lane), now)

/** Claims, where something must be due. */
export const mustClaim = (organization: { readonly id: OrganizationId }, now = noon, lane = sharedLane) =>
  Effect.filterOrElse(
    claim(organization, now, lane),
    (lease) => lease !== null,
    () => Effect.die(new Error("Nothing was claimed."))
  )

/** Reads the waiting deliveries as the lease holder. */
export const next = (lease: LaneLease, limit = 100, now = noon) =>
  Effect.flatMap(InboundDeliveryQueue, (inbox) => transact(inbox.next(lease, limit, now))).pipe(
    inside({ id: lease.organizationId })
  )

/** Ids of waiting deliveries. */
export const nextIds = (lease: LaneLease, limit = 100, now = noon) =>
  Effect.map(next(lease, limit, now), (rows) => rows.map(({ id }) => id))

/** Records that they were applied. */
export const apply = (lease: LaneLease, ids: ReadonlyArray<InboundDeliveryId>, now = noon) =>
  Effect.flatMap(InboundDeliveryQueue, (inbox) =>
    transact(
      inbox.applied(
        lease,
        ids.map((id) => ({ id, events: 3, unknown: 1 })),
        now
      )
    )
  ).pipe(inside({ id: lease.organizationId }))

/** Records that a delivery failed. */
export const fail = (lease: LaneLease, id: InboundDeliveryId, again: DateTime.Utc | null, reason = "It “failed”.") =>
  Effect.flatMap(InboundDeliveryQueue, (inbox) => transact(inbox.failed(lease, id, reason, again))).pipe(
    inside({ id: lease.organizationId })
  )

/** Ends the turn: the lane is closed, or due when the next one is. */
export const release = (lease: LaneLease, now = noon) =>
  transact(
    Effect.gen(function* () {
      const queue = yield* LaneQueue
      yield* queue.isolate(lease)
      const next = yield* (yield* InboundDeliveryQueue).nextDue(lease)
      yield* next === null ? queue.close(lease) : queue.postpone(lease, DateTime.max(next, now))
    })
  )

/** Time when the next delivery of the organization can be processed. */
export const nextDue = (lease: LaneLease) => Effect.flatMap(InboundDeliveryQueue, (inbox) => inbox.nextDue(lease))

export const allDeliveries = Effect.flatMap(InboundDeliveries, (deliveries) =>
  deliveries.list(null, { after: null, limit: 1_000 })
)

export const allIds = Effect.map(allDeliveries, (rows) => rows.map(({ id }) => id).toSorted())
