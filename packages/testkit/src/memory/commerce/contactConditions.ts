import type { Contact } from "@parley/domain/crm"
import { boughtProductIds, isCountedOrder, type StoredOrder, spentAmount } from "@parley/domain/commerce"
import { Array as Arrays, DateTime, HashMap } from "effect"
import type { AnswerCondition } from "../crm/AnswerCondition.ts"
import type { Tenant } from "../store/State.ts"

const counted = ({ storeOrders }: Tenant, { id }: Contact): ReadonlyArray<StoredOrder> =>
  HashMap.toValues(storeOrders).filter((order) => order.contactId === id && isCountedOrder(order))

const cartsOf = ({ storeCarts }: Tenant, { id }: Contact) =>
  HashMap.toValues(storeCarts).filter(({ contactId }) => contactId === id)

const openCartsOf = (tenant: Tenant, contact: Contact) =>
  cartsOf(tenant, contact).filter(({ state }) => state === "active" || state === "abandoned")

/** Returns the amount spent in a currency; `null` without orders in it. */
const spentIn = (tenant: Tenant, contact: Contact, currency: string): number | null => {
  const amounts = counted(tenant, contact).flatMap(({ record }) =>
    record.total.currency === currency ? [spentAmount(record).amountMinor] : []
  )
  return amounts.length === 0 ? null : amounts.reduce((sum, amount) => sum + amount, 0)
}

type TimeOf = (tenant: Tenant, contact: Contact) => DateTime.Utc | null

const earliest = (times: ReadonlyArray<DateTime.Utc>) =>
  Arrays.isReadonlyArrayNonEmpty(times) ? times.reduce(DateTime.min) : null

const latest = (times: ReadonlyArray<DateTime.Utc>) =>
  Arrays.isReadonlyArrayNonEmpty(times) ? times.reduce(DateTime.max) : null

const placed = (tenant: Tenant, contact: Contact) => counted(tenant, contact).map(({ record }) => record.placedAt)

const ever =
  (timeOf: TimeOf): AnswerCondition =>
  (tenant, contact) =>
    timeOf(tenant, contact) !== null

const before =
  (timeOf: TimeOf): AnswerCondition =>
  (tenant, contact, [at = ""]) => {
    const time = timeOf(tenant, contact)
    return time !== null && DateTime.isLessThan(time, DateTime.makeUnsafe(at))
  }

const since =
  (timeOf: TimeOf): AnswerCondition =>
  (tenant, contact, [at = ""]) => {
    const time = timeOf(tenant, contact)
    return time !== null && !DateTime.isLessThan(time, DateTime.makeUnsafe(at))
  }

const firstOrder: TimeOf = (tenant, contact) => earliest(placed(tenant, contact))
const lastOrder: TimeOf = (tenant, contact) => latest(placed(tenant, contact))
const cartAbandoned: TimeOf = (tenant, contact) =>
  latest(cartsOf(tenant, contact).flatMap(({ abandonedAt }) => abandonedAt ?? []))

/** Contact filter conditions of this area. */
export const contactConditions = {
  ordered_at_least: (tenant, contact, [count = ""]) => counted(tenant, contact).length >= Number(count),
  spent_at_least: (tenant, contact, [currency = "", amount = ""]) => {
    const spent = spentIn(tenant, contact, currency)
    return spent !== null && spent >= Number(amount)
  },
  spent_below: (tenant, contact, [currency = "", amount = ""]) => {
    const spent = spentIn(tenant, contact, currency)
    return spent !== null && spent < Number(amount)
  },
  first_order_ever: ever(firstOrder),
  first_order_before: before(firstOrder),
  first_order_since: since(firstOrder),
  last_order_ever: ever(lastOrder),
  last_order_before: before(lastOrder),
  last_order_since: since(lastOrder),
  cart_abandoned_ever: ever(cartAbandoned),
  cart_abandoned_before: before(cartAbandoned),
  cart_abandoned_since: since(cartAbandoned),
  bought: (tenant, contact, [at = "", ...productIds]) => {
    const products = HashMap.toValues(tenant.storeProducts).flatMap(({ product }) =>
      productIds.includes(product.id) ? [product] : []
    )
    return counted(tenant, contact).some(
      (order) =>
        (at === "-infinity" || !DateTime.isLessThan(order.record.placedAt, DateTime.makeUnsafe(at))) &&
        products.some(
          ({ externalId, storeConnectionId }) =>
            storeConnectionId === order.storeConnectionId && boughtProductIds(order).includes(externalId)
        )
    )
  },
  has_open_cart: (tenant, contact) => openCartsOf(tenant, contact).length > 0,
  known_to_store: (tenant, contact, ids) =>
    [
      ...HashMap.toValues(tenant.storeCustomers).flatMap(({ closedAt, customer }) =>
        closedAt === null && customer.contactId === contact.id ? [customer] : []
      ),
      ...counted(tenant, contact),
      ...openCartsOf(tenant, contact)
    ].some(({ storeConnectionId }) => ids.includes(storeConnectionId))
} as const satisfies Readonly<Record<string, AnswerCondition>>
