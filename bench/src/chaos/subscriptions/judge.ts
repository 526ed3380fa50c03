import { check, type Check } from "../verdict.ts"
import type { Ledger } from "./ledger.ts"

/** A stored delivery. */
export interface Kept {
  readonly id: string
  readonly subscriptionId: string
  readonly position: number
  readonly state: string
}

interface Subscribed {
  readonly id: string
  readonly organizationId: string
}

interface Found {
  readonly ledger: Ledger
  readonly positions: ReadonlyArray<{ readonly organizationId: string; readonly position: number }>
  readonly kept: ReadonlyArray<Kept>
  /** Subscriptions whose receivers are there to the end. */
  readonly healthy: ReadonlyArray<Subscribed>
  /** When which were deleted. */
  readonly deletedAt: ReadonlyMap<string, number>
}

/** Requests in flight at the deletion of a subscription can arrive, also from a process that is stopped for that time. */
const inFlightMillis = 13_000

interface Body {
  readonly type: string
  readonly position: number
  readonly organizationId: string
}

/** Compares the deliveries of the receivers with the log of events and the log of deliveries. */
export const judge = ({ deletedAt, healthy, kept, ledger, positions }: Found): ReadonlyArray<Check> => {
  const arrived = new Set(ledger.received.map(({ id }) => id))
  const keptOf = new Map(kept.map((each) => [`${each.subscriptionId} ${each.position}`, each]))
  const subscriptionOf = new Map(kept.map((each) => [each.id, each.subscriptionId]))
  const owed = healthy.flatMap((subscribed) =>
    positions
      .filter(({ organizationId }) => organizationId === subscribed.organizationId)
      .map(({ position }) => ({ subscribed, position }))
  )
  const known = new Set(positions.map(({ organizationId, position }) => `${organizationId} ${position}`))
  return [
    check("every event was received at least once by every healthy receiver", owed, ({ position, subscribed }) => {
      const delivery = keptOf.get(`${subscribed.id} ${position}`)
      return delivery !== undefined && arrived.has(delivery.id) ? null : `${subscribed.id} lacks ${position}`
    }),
    check("the delivery log contains each of them", owed, ({ position, subscribed }) => {
      const state = keptOf.get(`${subscribed.id} ${position}`)?.state ?? "absent"
      return state === "delivered" ? null : `${position} of ${subscribed.id} is ${state}`
    }),
    check("each received event is in the event log", ledger.received, ({ body }) => {
      const { organizationId, position } = JSON.parse(body) as Body
      return known.has(`${organizationId} ${position}`) ? null : `${position} of ${organizationId} is not there`
    }),
    check("no delivery starts after the deletion of its subscription", ledger.received, (each) => {
      const subscription = subscriptionOf.get(each.id)
      const deleted = subscription === undefined ? undefined : deletedAt.get(subscription)
      return deleted === undefined || each.at <= deleted + inFlightMillis
        ? null
        : `${each.id} came ${each.at - deleted} ms after that`
    })
  ]
}
