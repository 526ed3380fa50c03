import { boughtProductIds, CustomerRecord, isCountedOrder, OrderRecord } from "@parley/domain"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { isDeepStrictEqual } from "node:util"
import { ToolFailed } from "../../load/ToolFailed.ts"
import { customerAt, orderAt, type ShopSize } from "./GeneratedShop.ts"

const atOnce = 5_000

const encodeOrder = Schema.encodeSync(OrderRecord)

const encodeCustomer = Schema.encodeSync(CustomerRecord)

/** Fails unless the stored data equals the shop: each order and customer, purchases, and spending of contacts. */
export const requireBooks = Effect.fnUntraced(function* (size: ShopSize, isMaking: boolean) {
  const sql = yield* SqlClient.SqlClient
  const wrong = (output: string) => new ToolFailed({ tool: "store-import", output })
  const expected = { customers: size.customers, orders: size.orders, lines: 0, contacts: 0, counted: 0, spent: 0 }
  for (let from = 0; from < size.customers; from += atOnce) {
    const rows = yield* sql<{ readonly externalId: string; readonly name: string; readonly email: string }>`
      SELECT external_id AS "externalId", name, email FROM store_customers
      WHERE external_id = ANY(${Array.from({ length: atOnce }, (_, place) => `c${from + place}`)})`
    for (const { email, externalId, name } of rows) {
      const { email: itsEmail, name: itsName } = encodeCustomer(customerAt(Number(externalId.slice(1))))
      if (email !== itsEmail || name !== itsName) return yield* wrong(`The customer ${externalId} is another one.`)
    }
  }
  for (let from = 0; from < size.orders; from += atOnce) {
    const rows = yield* sql<{ readonly externalId: string; readonly record: unknown }>`
      SELECT external_id AS "externalId", record FROM store_orders
      WHERE external_id = ANY(${Array.from({ length: atOnce }, (_, place) => `o${from + place}`)})`
    for (const { externalId, record } of rows) {
      const reported = orderAt(Number(externalId.slice(1)), size)
      if (!isDeepStrictEqual(record, encodeOrder(reported)))
        return yield* wrong(`The order ${externalId} is another one.`)
    }
  }
  const hasContact = (externalId: string | null) =>
    isMaking && externalId !== null && customerAt(Number(externalId.slice(1))).phones.length > 0
  expected.contacts = isMaking
    ? Array.from({ length: size.customers }, (_, index) => `c${index}`).filter(hasContact).length
    : 0
  for (let index = 0; index < size.orders; index += 1) {
    const record = orderAt(index, size)
    const order = { record, deletedAt: null }
    expected.lines += boughtProductIds(order).length
    if (!hasContact(record.externalCustomerId) || !isCountedOrder(order)) continue
    expected.counted += 1
    expected.spent += record.paid.amountMinor
  }
  const [found] = yield* sql<typeof expected>`
    SELECT (SELECT count(*)::integer FROM store_customers) AS customers,
      (SELECT count(*)::integer FROM store_orders) AS orders,
      (SELECT count(*)::integer FROM store_order_lines) AS lines,
      (SELECT count(*)::integer FROM contacts) AS contacts,
      (SELECT coalesce(sum(order_count), 0)::integer FROM store_lifetime_totals) AS counted,
      (SELECT coalesce(sum(spent_minor), 0)::float8 FROM store_lifetime_totals) AS spent`
  if (!isDeepStrictEqual({ ...found }, expected)) {
    return yield* wrong(`There is ${JSON.stringify(found)}, and in the shop ${JSON.stringify(expected)}.`)
  }
})
