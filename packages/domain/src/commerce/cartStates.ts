import { DateTime, Duration } from "effect"
import type { CartState, StoredCart } from "./Cart.ts"
import type { OrderId } from "./Ids.ts"
import { supersedes } from "./recordRules.ts"
import type { CartRecord } from "./shopRecords.ts"

/** Duration of silence after which a cart expires. */
export const cartTimeout = Duration.days(30)
const abandonmentEventInterval = Duration.days(1)

const isClosed = (state: CartState) => state === "recovered" || state === "completed"

/** Fields of a cart that change with its state. */
export type CartProgress = Pick<StoredCart, "abandonedAt" | "closedAt" | "orderId" | "record" | "state" | "toldAt">

const newCart = (record: CartRecord): CartProgress => ({
  record,
  state: "active",
  abandonedAt: null,
  toldAt: null,
  orderId: null,
  closedAt: null
})

/** Completes a cart that an order was placed from. */
export const completeCart = (cart: CartProgress, orderId: OrderId | null, at: DateTime.Utc): CartProgress =>
  isClosed(cart.state)
    ? { ...cart, orderId: cart.orderId ?? orderId }
    : { ...cart, state: cart.abandonedAt === null ? "completed" : "recovered", orderId, closedAt: at }

/**
 * Applies a report of the shop to a cart. An older record changes nothing. Activity makes the cart active again, unless an order was placed from it.
 */
export const applyCartReport = (before: CartProgress | null, record: CartRecord): CartProgress => {
  if (!supersedes(record, before?.record ?? null)) return before ?? newCart(record)
  const isActive = before === null || DateTime.isGreaterThan(record.updatedAt, before.record.updatedAt)
  const reported = before === null ? newCart(record) : { ...before, record }
  const alive: CartProgress =
    isActive && !isClosed(reported.state)
      ? { ...reported, state: "active", abandonedAt: null, closedAt: null }
      : reported
  // The cart can have been abandoned until the order that the record reports.
  return record.completedAt === null
    ? alive
    : completeCart({ ...alive, abandonedAt: reported.abandonedAt }, null, record.completedAt)
}

/** Expires a cart that the shop has deleted. */
export const expireCart = (cart: CartProgress, at: DateTime.Utc): CartProgress =>
  cart.state === "active" || cart.state === "abandoned" ? { ...cart, state: "expired", closedAt: at } : cart

/** Input of the decision whether a silent cart is abandoned, in addition to the time. */
export interface CartContext {
  /** Minutes of silence until abandonment. */
  readonly minutes: number
  /** Whether a message can reach the owner of the cart. */
  readonly isReachable: boolean
  /** Whether the owner of the cart has placed an order since. */
  readonly hasLaterOrder: boolean
}

/** Returns the time of the next automatic state change of a cart; `null` if no change is due. */
export const cartDueAt = ({ record, state }: CartProgress, minutes: number): DateTime.Utc | null => {
  if (state === "active") return DateTime.add(record.updatedAt, { minutes })
  return state === "abandoned" ? DateTime.addDuration(record.updatedAt, cartTimeout) : null
}

/** Applies the passage of time to a cart without a new report of the shop. */
export const cartAfterSilence = (
  cart: CartProgress,
  now: DateTime.Utc,
  { hasLaterOrder, isReachable, minutes }: CartContext
): CartProgress => {
  if (cart.state !== "active" && cart.state !== "abandoned") return cart
  const { lines, updatedAt } = cart.record
  if (DateTime.isGreaterThanOrEqualTo(now, DateTime.addDuration(updatedAt, cartTimeout))) return expireCart(cart, now)
  const isSilent = DateTime.isGreaterThanOrEqualTo(now, DateTime.add(updatedAt, { minutes }))
  return cart.state === "active" && isSilent && lines.length > 0 && isReachable && !hasLaterOrder
    ? { ...cart, state: "abandoned", abandonedAt: now }
    : cart
}

/** Whether an abandonment is published: at most once a day for each cart. */
export const hasReportableAbandonment = (before: CartProgress, after: CartProgress): boolean =>
  before.state !== "abandoned" &&
  after.state === "abandoned" &&
  after.abandonedAt !== null &&
  (after.toldAt === null ||
    DateTime.isGreaterThanOrEqualTo(after.abandonedAt, DateTime.addDuration(after.toldAt, abandonmentEventInterval)))
