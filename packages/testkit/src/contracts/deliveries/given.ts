import {
  type ArrivedDelivery,
  Delivery,
  DeliveryId,
  DeliveryInbox,
  type DeliveryLease,
  type OrganizationId,
  transact
} from "@parley/domain"
import { DateTime, Effect, Schema } from "effect"
import { after, freshId, freshText, inside } from "../given.ts"

/** When the deliveries of the contracts come. */
export const noon = DateTime.makeUnsafe("2026-03-01T12:00:00.125Z")

/** After everything that happens in the contracts. */
const doomsday = DateTime.makeUnsafe("2126-01-01T00:00:00Z")

/** What a provider may send: any bytes. */
export const body = new Uint8Array([0, 255, 34, 92, 39, 10, 123, 240, 159, 165, 144])

const encode = Schema.encodeSync(Delivery)

/** A delivery as plain values. */
export const plain = (delivery: Delivery) => encode(delivery)

/** A delivery that has yet to come. */
export const newDelivery = (
  organization: { readonly id: OrganizationId },
  overrides: Partial<ArrivedDelivery> = {}
): ArrivedDelivery => ({
  organizationId: organization.id,
  id: freshId(DeliveryId),
  source: "chat",
  provider: "whatsapp",
  digest: freshText("digest"),
  body,
  receivedAt: noon,
  ...overrides
})

/** Takes deliveries in, all in one call. */
export const take = (...deliveries: ReadonlyArray<ArrivedDelivery>) =>
  Effect.flatMap(DeliveryInbox, (inbox) => inbox.store(deliveries))

/** New deliveries to the organization in the store, in their order. */
export const givenDeliveries = Effect.fnUntraced(function* (
  organization: { readonly id: OrganizationId },
  count: number,
  overrides: Partial<ArrivedDelivery> = {}
) {
  const deliveries = Array.from({ length: count }, () => newDelivery(organization, overrides))
  yield* take(...deliveries)
  return deliveries
})

/** Claims whoever is first in line, for eight seconds. */
export const claim = (now = noon, worker = freshText("worker")) =>
  Effect.flatMap(DeliveryInbox, (inbox) => inbox.claim({ worker, now, until: after(now, "8 seconds") }))

/** Claims, where somebody must be in line. */
export const mustClaim = (now = noon) =>
  Effect.filterOrElse(
    claim(now),
    (lease) => lease !== null,
    () => Effect.die(new Error("Nothing was claimed."))
  )

/** What waits, as whoever holds the lease sees it. */
export const next = (lease: DeliveryLease, limit = 100, now = noon) =>
  Effect.flatMap(DeliveryInbox, (inbox) => transact(inbox.next(lease, limit, now))).pipe(
    inside({ id: lease.organizationId })
  )

/** The ids of what waits. */
export const nextIds = (lease: DeliveryLease, limit = 100, now = noon) =>
  Effect.map(next(lease, limit, now), (rows) => rows?.map(({ id }) => id) ?? null)

/** Says that they were worked through. */
export const apply = (lease: DeliveryLease, ids: ReadonlyArray<DeliveryId>, now = noon) =>
  Effect.flatMap(DeliveryInbox, (inbox) =>
    transact(
      inbox.applied(
        lease,
        ids.map((id) => ({ id, events: 3, unknown: 1 })),
        now
      )
    )
  ).pipe(inside({ id: lease.organizationId }))

/** Says that one could not be worked through. */
export const fail = (lease: DeliveryLease, id: DeliveryId, again: DateTime.Utc | null, reason = "It “failed”.") =>
  Effect.flatMap(DeliveryInbox, (inbox) => transact(inbox.failed(lease, id, reason, again))).pipe(
    inside({ id: lease.organizationId })
  )

export const release = (lease: DeliveryLease) => Effect.flatMap(DeliveryInbox, (inbox) => inbox.release(lease))

/** Works everything through that other tests have left, so that nobody else stands in line. */
export const nobodyInLine = Effect.gen(function* () {
  for (let lease = yield* claim(doomsday); lease !== null; lease = yield* claim(doomsday)) {
    yield* apply(lease, (yield* nextIds(lease, 1_000, doomsday)) ?? [], doomsday)
    yield* release(lease)
  }
})
