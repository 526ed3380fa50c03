import { DateTime, Duration } from "effect"
import type { CartState, StoredCart } from "./Cart.ts"
import type { OrderId } from "./Ids.ts"
import { supersedes } from "./recordRules.ts"
import type { CartRecord } from "./shopRecords.ts"

/** How long a cart is silent before it ends. */
export const cartTimeout = Duration.days(30)
const abandonmentEventInterval = Duration.days(1)

const isClosed = (state: CartState) => state === "recovered" || state === "completed"

/** What of a cart changes by itself. */
export type CartProgress = Pick<StoredCart, "abandonedAt" | "closedAt" | "orderId" | "record" | "state" | "toldAt">

/** A cart as it begins. */
const newCart = (record: CartRecord): CartProgress => ({
  record,
  state: "active",
  abandonedAt: null,
  toldAt: null,
  orderId: null,
  closedAt: null
})

/** A cart from which was ordered. */
export const completeCart = (cart: CartProgress, orderId: OrderId | null, at: DateTime.Utc): CartProgress =>
  isClosed(cart.state)
    ? { ...cart, orderId: cart.orderId ?? orderId }
    : { ...cart, state: cart.abandonedAt === null ? "completed" : "recovered", orderId, closedAt: at }

/** A cart after the shop has told of it. An older record changes nothing; activity makes it active again, unless something was ordered from it. */
export const applyCartReport = (before: CartProgress | null, record: CartRecord): CartProgress => {
  if (!supersedes(record, before?.record ?? null)) return before ?? newCart(record)
  const isActive = before === null || DateTime.isGreaterThan(record.updatedAt, before.record.updatedAt)
  const told = before === null ? newCart(record) : { ...before, record }
  const alive: CartProgress =
    isActive && !isClosed(told.state) ? { ...told, state: "active", abandonedAt: null, closedAt: null } : told
  // It may have been abandoned until the very order that the record tells of.
  return record.completedAt === null
    ? alive
    : completeCart({ ...alive, abandonedAt: told.abandonedAt }, null, record.completedAt)
}

/** A cart that the shop does not have any more. */
export const expireCart = (cart: CartProgress, at: DateTime.Utc): CartProgress =>
  cart.state === "active" || cart.state === "abandoned" ? { ...cart, state: "expired", closedAt: at } : cart

/** What decides whether a silent cart is abandoned, beside the time. */
export interface CartContext {
  /** After how many silent minutes. */
  readonly minutes: number
  /** Whether there is somebody to write to. */
  readonly isReachable: boolean
  /** Whether whoever has it has ordered anything since. */
  readonly hasLaterOrder: boolean
}

/** When a cart changes next by itself; `null` if it does not. */
export const cartDueAt = ({ record, state }: CartProgress, minutes: number): DateTime.Utc | null => {
  if (state === "active") return DateTime.add(record.updatedAt, { minutes })
  return state === "abandoned" ? DateTime.addDuration(record.updatedAt, cartTimeout) : null
}

/** A cart at this time, if the shop tells nothing of it. */
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

/** Whether it is told that a cart was abandoned: once a day at the most, however often it is. */
export const hasReportableAbandonment = (before: CartProgress, after: CartProgress): boolean =>
  before.state !== "abandoned" &&
  after.state === "abandoned" &&
  after.abandonedAt !== null &&
  (after.toldAt === null ||
    DateTime.isGreaterThanOrEqualTo(after.abandonedAt, DateTime.addDuration(after.toldAt, abandonmentEventInterval)))
