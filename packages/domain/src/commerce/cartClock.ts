import { DateTime, Effect } from "effect"
import { type KeptCart, StoreCarts } from "./Cart.ts"
import { type Buyers, StoreOrders } from "./Order.ts"
import type { StoreConnection } from "./StoreConnection.ts"
import { underStore } from "./StoreConnections.ts"
import { silentCart, silentFor, tellsAbandonment } from "./cartStates.ts"
import { appendEvent } from "./events.ts"
import { receivingBatch } from "./recordRules.ts"

const buyersOf = (carts: ReadonlyArray<KeptCart>): Buyers => ({
  contactIds: [...new Set(carts.flatMap(({ contactId }) => contactId ?? []))],
  externalCustomerIds: [...new Set(carts.flatMap(({ record }) => record.externalCustomerId ?? []))]
})

const isReachable = ({ contactId, record: { email, phone } }: KeptCart) =>
  contactId !== null || phone !== null || email !== null

/** Whether whoever has a cart has ordered since it was silent. */
const laterOrders = Effect.fnUntraced(function* ({ id }: StoreConnection, carts: ReadonlyArray<KeptCart>) {
  const placed = yield* (yield* StoreOrders).lastPlaced(id, buyersOf(carts))
  return ({ contactId, record }: KeptCart) =>
    placed.some(
      (last) =>
        DateTime.isGreaterThan(last.placedAt, record.updatedAt) &&
        ((contactId !== null && last.contactId === contactId) ||
          (record.externalCustomerId !== null && last.externalCustomerId === record.externalCustomerId))
    )
})

/** Lets the time pass for these carts of a store. */
const passTime = Effect.fnUntraced(function* (
  connection: StoreConnection,
  found: ReadonlyArray<KeptCart>,
  now: DateTime.Utc
) {
  const carts = yield* StoreCarts
  const locked = yield* carts.lock(
    connection.id,
    found.map(({ record }) => record.externalId)
  )
  const hasLaterOrder = yield* laterOrders(connection, locked)
  const { cartAbandonedAfterMinutes: minutes } = connection
  // What was silent before the store was connected is history.
  const connectedAt = connection.connectedAt ?? now
  const changes = locked.flatMap((before) => {
    const surroundings = { minutes, isReachable: isReachable(before), hasLaterOrder: hasLaterOrder(before) }
    const course = silentCart(before, now, surroundings)
    if (course === before) return []
    const isHistory = DateTime.isLessThan(before.record.updatedAt, connectedAt)
    const isTold = tellsAbandonment(before, course) && !isHistory
    return [{ isTold, after: { ...before, ...course, toldAt: isTold ? now : course.toldAt, updatedAt: now } }]
  })
  yield* carts.put(changes.map(({ after }) => after))
  for (const { after, isTold } of changes) {
    const { contactId, id: cartId, storeConnectionId } = after
    if (isTold) yield* appendEvent({ type: "cart.abandoned", cartId, storeConnectionId, contactId })
  }
})

const keyOf = ({ id, record: { updatedAt } }: KeptCart) => [DateTime.formatIso(updatedAt), id]

/** Abandons carts that are silent for the set minutes, and ends those that are for long. */
export const runCartClock = Effect.fnUntraced(function* (connection: StoreConnection) {
  const { cartAbandonedAfterMinutes: minutes, id } = connection
  const carts = yield* StoreCarts
  const now = yield* DateTime.now
  const silentSince = {
    active: DateTime.subtract(now, { minutes }),
    abandoned: DateTime.subtractDuration(now, silentFor)
  }
  for (const state of ["abandoned", "active"] as const) {
    let after: ReadonlyArray<string> | null = null
    for (;;) {
      const slice = { limit: receivingBatch, after }
      const found: ReadonlyArray<KeptCart> = yield* carts.silent(id, state, silentSince[state], slice)
      if (found.length > 0) yield* underStore(id, (fresh, time) => passTime(fresh, found, time))
      const last = found.at(-1)
      if (last === undefined || found.length < receivingBatch) break
      after = keyOf(last)
    }
  }
})

/** When the next active cart is silent for long enough; `null` if there is none. */
export const cartClockDueAt = Effect.fnUntraced(function* ({
  cartAbandonedAfterMinutes: minutes,
  id
}: StoreConnection) {
  const passed = DateTime.subtract(yield* DateTime.now, { minutes })
  const next = yield* (yield* StoreCarts).nextSilent(id, passed)
  return next === null ? null : DateTime.add(next, { minutes })
})
