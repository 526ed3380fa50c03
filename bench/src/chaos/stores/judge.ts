import { parsePhoneNumber } from "@parley/domain"
import type { Books } from "@parley/simulators/store"
import { DateTime, Predicate } from "effect"
import { type Check, check } from "../verdict.ts"
import type { Found, FoundOrder, FoundRecord } from "./found.ts"

const asJson = (value: unknown): unknown => {
  if (DateTime.isDateTime(value)) return DateTime.formatIso(value)
  if (Array.isArray(value)) return value.map(asJson)
  if (!Predicate.isObject(value)) return value
  const fields = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(fields.map(([name, inner]) => [name, asJson(inner)]))
}

/** Equal text for an equal record, regardless of the order of its fields. */
const textOf = (record: unknown) => JSON.stringify(asJson(record))

/** Carts without a change for a month end, and are deleted later. */
const month = 30 * 86_400_000

const isRecent = (changedAt: number) => changedAt > Date.now() - month

type Row = Readonly<Record<string, unknown>> & { readonly externalId: string }

/** Expected data of a shop with these records. */
const expectedOf = (books: Books) => ({
  customers: [...books.customers()].map(
    ({ chatConsent, emailConsent, phones, smsConsent, updatedAt: _updatedAt, ...customer }): Row => {
      const phone = phones.flatMap((each) => parsePhoneNumber(each, "DE") ?? [])[0] ?? null
      return {
        ...customer,
        phone,
        smsConsent: smsConsent.state,
        chatConsent: chatConsent.state,
        emailConsent: emailConsent.state,
        isContact: phone !== null
      }
    }
  ),
  products: [...books.products()].map(({ updatedAt: _updatedAt, ...product }): Row => product),
  orders: [...books.orders()].map((order): Row => ({ ...order })),
  // The provider names the customer of a cart in deliveries, and customers only in its lists.
  carts: [...books.carts()].flatMap(({ email: _email, phone: _phone, ...cart }): ReadonlyArray<Row> =>
    isRecent(DateTime.toEpochMillis(cart.updatedAt)) ? [cart] : []
  )
})

/** A record without a later change can still name deleted people and records. */
const withoutGone = (
  record: FoundRecord["record"],
  customers: ReadonlySet<string>,
  products: ReadonlySet<string>
): FoundRecord["record"] => {
  const { email: _email, phone: _phone, ...cart } = record
  const rest = "placedAt" in record ? record : cart
  const { externalCustomerId: customer, lines } = record
  return {
    ...rest,
    externalCustomerId: typeof customer === "string" && customers.has(customer) ? customer : null,
    lines: (Array.isArray(lines) ? lines : []).map((line: FoundRecord["record"]) =>
      typeof line["externalProductId"] === "string" && products.has(line["externalProductId"])
        ? line
        : { ...line, externalProductId: null, externalVariantId: null, imageUrl: null }
    )
  }
}

/** A cart by its token: deliveries contain neither the id of the shop nor images. */
const byToken = (cart: FoundRecord["record"]): Row => ({
  ...cart,
  externalId: String(cart["token"]),
  lines: (Array.isArray(cart["lines"]) ? cart["lines"] : []).map((line: FoundRecord["record"]) => ({
    ...line,
    imageUrl: null
  }))
})

const compare = (invariant: string, found: ReadonlyArray<FoundRecord>, expected: ReadonlyArray<Row>): Check => {
  const standing = new Map(
    found.flatMap(({ externalId, isGone, record }) => (isGone ? [] : [[externalId, textOf(record)] as const]))
  )
  const ought = new Map(expected.map((row) => [row.externalId, textOf(row)]))
  return check(invariant, new Set([...standing.keys(), ...ought.keys()]), (id) => {
    const [is, be] = [standing.get(id), ought.get(id)]
    if (is === be) return null
    if (is === undefined) return `${id} is not there`
    return be === undefined ? `${id} is there, and gone at the shop` : `${is}\n    not ${be}`
  })
}

/** Personal fields of a deleted record. */
const personal = ["name", "phone", "email", "statusUrl", "checkoutToken"]

const isAnonymous = ({ isGone, record }: FoundRecord, fields: ReadonlyArray<string>) =>
  !isGone || fields.every((field) => record[field] == null)

/** Expected events of an order placed after the connection, with their counts. */
const toldOf = ({ record, refunds }: FoundOrder): Readonly<Record<string, number>> => ({
  "order.created": 1,
  "order.paid": ["paid", "partially_refunded", "refunded"].includes(String(record["paymentStatus"])) ? 1 : 0,
  "order.fulfilled": record["fulfilmentStatus"] === "fulfilled" ? 1 : 0,
  "order.cancelled": record["cancelledAt"] === null ? 0 : 1,
  "order.refunded": refunds
})

const faultOfTelling = (order: FoundOrder) => {
  const { externalId, isGone, isNew, told: reported } = order
  const expected = isNew ? toldOf(order) : {}
  for (const type of new Set([...Object.keys(expected), ...Object.keys(reported)])) {
    const [is, ought] = [reported[type] ?? 0, expected[type] ?? 0]
    // Of an order deleted before it was read, only the deletion is known.
    if (isGone ? is > Math.max(ought, 1) && type !== "order.refunded" : is !== ought) {
      return `${externalId}: ${type} is published ${is} times, not ${ought}`
    }
  }
  return null
}

/** Compares the stored data of a shop with its own books. */
export const judge = (shop: string, found: Found, books: Books): ReadonlyArray<Check> => {
  const expected = expectedOf(books)
  const ids = (rows: ReadonlyArray<Row>) => new Set(rows.map(({ externalId }) => externalId))
  const [customers, products] = [ids(expected.customers), ids(expected.products)]
  const named = <Each extends FoundRecord>(rows: ReadonlyArray<Each>): ReadonlyArray<Each> =>
    rows.map((row) => ({ ...row, record: withoutGone(row.record, customers, products) }))
  return [
    compare(`${shop}: customers match the shop`, found.customers, expected.customers),
    compare(`${shop}: products match the shop`, found.products, expected.products),
    compare(`${shop}: orders match the shop`, named(found.orders), expected.orders),
    compare(
      `${shop}: carts match the shop`,
      named(found.carts)
        .filter(({ record }) => isRecent(Date.parse(String(record["updatedAt"]))))
        .map(({ isGone, record }) => ({ isGone, record: byToken(record), externalId: byToken(record).externalId })),
      expected.carts.map(byToken)
    ),
    check(`${shop}: of customers who are gone nothing personal is kept`, found.customers, (row) =>
      isAnonymous(row, personal) ? null : row.externalId
    ),
    check(`${shop}: of orders that are gone nothing personal is kept`, found.orders, (row) =>
      isAnonymous(row, personal.slice(1)) ? null : row.externalId
    ),
    check(`${shop}: order events are published once`, found.orders, faultOfTelling)
  ]
}
