import { DateTime, Effect } from "effect"
import { type StoredCart, StoreCarts } from "./Cart.ts"
import { type BuyerRefs, StoreOrders } from "./Order.ts"
import type { StoreConnection } from "./StoreConnection.ts"
import { withStoreLock } from "./StoreConnections.ts"
import { cartAfterSilence, cartTimeout, hasReportableAbandonment } from "./cartStates.ts"
import { appendEvent } from "./events.ts"
import { receiveBatchSize } from "./recordRules.ts"

const toBuyerRefs = (carts: ReadonlyArray<StoredCart>): BuyerRefs => ({
  contactIds: [...new Set(carts.flatMap(({ contactId }) => contactId ?? []))],
  externalCustomerIds: [...new Set(carts.flatMap(({ record }) => record.externalCustomerId ?? []))]
})

const isReachable = ({ contactId, record: { email, phone } }: StoredCart) =>
  contactId !== null || phone !== null || email !== null

/** Loads whether the owners of carts have placed an order since the carts became silent. */
const loadLaterOrders = Effect.fnUntraced(function* ({ id }: StoreConnection, carts: ReadonlyArray<StoredCart>) {
  const placed = yield* (yield* StoreOrders).lastPlaced(id, toBuyerRefs(carts))
  return ({ contactId, record }: StoredCart) =>
    placed.some(
      (last) =>
        DateTime.isGreaterThan(last.placedAt, record.updatedAt) &&
        ((contactId !== null && last.contactId === contactId) ||
          (record.externalCustomerId !== null && last.externalCustomerId === record.externalCustomerId))
    )
})

/** Applies the passage of time to carts of a store. */
const applyTimeouts = Effect.fnUntraced(function* (
  connection: StoreConnection,
  found: ReadonlyArray<StoredCart>,
  now: DateTime.Utc
) {
  const carts = yield* StoreCarts
  const locked = yield* carts.lock(
    connection.id,
    found.map(({ record }) => record.externalId)
  )
  const hasLaterOrder = yield* loadLaterOrders(connection, locked)
  const { cartAbandonedAfterMinutes: minutes } = connection
  // Carts that were silent before the connection of the store are history.
  const connectedAt = connection.connectedAt ?? now
  const changes = locked.flatMap((before) => {
    const surroundings = { minutes, isReachable: isReachable(before), hasLaterOrder: hasLaterOrder(before) }
    const course = cartAfterSilence(before, now, surroundings)
    if (course === before) return []
    const isHistory = DateTime.isLessThan(before.record.updatedAt, connectedAt)
    const isTold = hasReportableAbandonment(before, course) && !isHistory
    return [{ isTold, after: { ...before, ...course, toldAt: isTold ? now : course.toldAt, updatedAt: now } }]
  })
  yield* carts.put(changes.map(({ after }) => after))
  for (const { after, isTold } of changes) {
    const { contactId, id: cartId, storeConnectionId } = after
    if (isTold) yield* appendEvent({ type: "cart.abandoned", cartId, storeConnectionId, contactId })
  }
})

const keyOf = ({ id, record: { updatedAt } }: StoredCart) => [DateTime.formatIso(updatedAt), id]

/** Abandons carts after the configured minutes of silence, and expires long silent carts. */
export const runCartTimeouts = Effect.fnUntraced(function* (connection: StoreConnection) {
  const { cartAbandonedAfterMinutes: minutes, id } = connection
  const carts = yield* StoreCarts
  const now = yield* DateTime.now
  const silentSince = {
    active: DateTime.subtract(now, { minutes }),
    abandoned: DateTime.subtractDuration(now, cartTimeout)
  }
  for (const state of ["abandoned", "active"] as const) {
    let after: ReadonlyArray<string> | null = null
    for (;;) {
      const slice = { limit: receiveBatchSize, after }
      const found: ReadonlyArray<StoredCart> = yield* carts.silent(id, state, silentSince[state], slice)
      if (found.length > 0) yield* withStoreLock(id, (fresh, time) => applyTimeouts(fresh, found, time))
      const last = found.at(-1)
      if (last === undefined || found.length < receiveBatchSize) break
      after = keyOf(last)
    }
  }
})

/** Returns when the next active cart has been silent long enough; `null` if no such cart exists. */
export const nextCartTimeoutAt = Effect.fnUntraced(function* ({
  cartAbandonedAfterMinutes: minutes,
  id
}: StoreConnection) {
  const passed = DateTime.subtract(yield* DateTime.now, { minutes })
  const next = yield* (yield* StoreCarts).nextSilent(id, passed)
  return next === null ? null : DateTime.add(next, { minutes })
})
