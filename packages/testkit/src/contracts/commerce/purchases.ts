import type { Money } from "@parley/domain/kernel"
import type { ContactId, FilterInput } from "@parley/domain/crm"
import {
  isCountedOrder,
  type StoredCart,
  type StoredCustomer,
  type StoredOrder,
  type StoredProduct
} from "@parley/domain/commerce"
import { DateTime } from "effect"
import { noon } from "../../fixtures/purchases.ts"

/** Actions of contacts in stores. */
export interface Purchases {
  readonly orders: ReadonlyArray<StoredOrder>
  readonly carts: ReadonlyArray<StoredCart>
  readonly customers: ReadonlyArray<StoredCustomer>
  readonly products: ReadonlyArray<StoredProduct>
}

const comparing = (op: string | undefined, one: number, other: number): boolean => {
  switch (op) {
    case "is":
      return one === other
    case "lt":
      return one < other
    case "lte":
      return one <= other
    case "gt":
      return one > other
    default:
      return one >= other
  }
}

const daysAgo = (days: number) => DateTime.toEpochMillis(DateTime.subtract(noon, { days }))

const timed = ({ op, value }: FilterInput, time: number | null): boolean => {
  switch (op) {
    case "is_set":
      return time !== null
    case "is_not_set":
      return time === null
    case "before":
      return time !== null && time < DateTime.toEpochMillis(DateTime.makeUnsafe(String(value)))
    case "since":
      return time !== null && time >= DateTime.toEpochMillis(DateTime.makeUnsafe(String(value)))
    case "within_days":
      return time !== null && time >= daysAgo(Number(value))
    default:
      return time === null || time < daysAgo(Number(value))
  }
}

const most = (times: ReadonlyArray<number>, of: (...times: ReadonlyArray<number>) => number) =>
  times.length === 0 ? null : of(...times)

/** Expected result of a filter for a contact, from all events in the stores. */
export const saysOf = (all: Purchases, id: ContactId, filter: FilterInput): boolean => {
  if (filter.all !== undefined) return filter.all.every((each) => saysOf(all, id, each))
  if (filter.any !== undefined) return filter.any.some((each) => saysOf(all, id, each))
  if (filter.not !== undefined) return !saysOf(all, id, filter.not)
  const orders = all.orders.filter((order) => order.contactId === id && isCountedOrder(order))
  const placed = orders.map(({ record }) => DateTime.toEpochMillis(record.placedAt))
  const carts = all.carts.filter(({ contactId }) => contactId === id)
  const open = carts.filter(({ state }) => state === "active" || state === "abandoned")
  switch (filter.field) {
    case "orderCount":
      return comparing(filter.op, orders.length, Number(filter.value))
    case "spent": {
      const { amountMinor, currency } = filter.value as Money
      const spent = orders
        .filter(({ record }) => record.paid.currency === currency)
        .reduce((sum, { record }) => sum + record.paid.amountMinor - record.refunded.amountMinor, 0)
      return comparing(filter.op, spent, amountMinor)
    }
    case "firstOrderAt":
      return timed(filter, most(placed, Math.min))
    case "lastOrderAt":
      return timed(filter, most(placed, Math.max))
    case "cartAbandonedAt":
      return timed(
        filter,
        most(
          carts.flatMap(({ abandonedAt }) => (abandonedAt === null ? [] : [DateTime.toEpochMillis(abandonedAt)])),
          Math.max
        )
      )
    case "openCart":
      return open.length > 0 === filter.value
    case "store": {
      const ids = [
        ...all.customers.flatMap(({ closedAt, customer }) =>
          closedAt === null && customer.contactId === id ? [customer] : []
        ),
        ...orders,
        ...open
      ].map(({ storeConnectionId }): string => storeConnectionId)
      return ids.some((each) => (filter.value as ReadonlyArray<string>).includes(each)) === (filter.op === "any_of")
    }
    default: {
      const { productIds, withinDays } = filter.value as {
        readonly productIds: ReadonlyArray<string>
        readonly withinDays?: number
      }
      const has = orders.some(
        ({ record, storeConnectionId }) =>
          (withinDays === undefined || DateTime.toEpochMillis(record.placedAt) >= daysAgo(withinDays)) &&
          record.lines.some(
            ({ currentQuantity, externalProductId }) =>
              currentQuantity > 0 &&
              all.products.some(
                ({ product }) =>
                  productIds.includes(product.id) &&
                  product.externalId === externalProductId &&
                  product.storeConnectionId === storeConnectionId
              )
          )
      )
      return has === (filter.op === "bought")
    }
  }
}
