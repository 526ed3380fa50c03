import { parsePhoneNumber } from "@parley/domain/crm"
import type { Books } from "@parley/simulators/store"
import { DateTime, Effect, Predicate } from "effect"
import { assertStatus, at } from "./answers.ts"
import type { Answer } from "./Http.ts"

/** Calls the service as a user. */
export type Send = (method: string, path: string, body?: unknown) => Effect.Effect<Answer>

type Row = Readonly<Record<string, unknown>>

const asJson = (value: unknown): unknown => {
  if (DateTime.isDateTime(value)) return DateTime.formatIso(value)
  if (Array.isArray(value)) return value.map(asJson)
  if (!Predicate.isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, asJson(inner)]))
}

const idOf = (row: unknown) => String(at(row, "externalId"))

const inOrder = (rows: Iterable<unknown>) =>
  [...rows].map(asJson).toSorted((one, other) => (idOf(one) < idOf(other) ? -1 : 1))

const listAt = (row: unknown, name: string): ReadonlyArray<unknown> => {
  const list = at(row, name)
  return Array.isArray(list) ? list : []
}

const without = (row: object, ...names: ReadonlyArray<string>): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)))

/** Carts without the fields that deliveries do not contain: the id of the shop, and images. */
export const deliveredCarts = (carts: ReadonlyArray<unknown>): ReadonlyArray<unknown> =>
  carts
    .filter(Predicate.isObject)
    .map((cart) => ({
      ...without(cart, "externalId"),
      lines: listAt(cart, "lines").map((line) => (Predicate.isObject(line) ? without(line, "imageUrl") : line))
    }))
    .toSorted((one, other) => (String(at(one, "recoveryUrl")) < String(at(other, "recoveryUrl")) ? -1 : 1))

/** Content of a list, page by page. */
export const everyRow = Effect.fnUntraced(function* (send: Send, path: string) {
  const rows: Array<Row> = []
  let cursor: unknown = null
  do {
    const page = yield* send("GET", `${path}?limit=100${typeof cursor === "string" ? `&cursor=${cursor}` : ""}`)
    assertStatus(page, 200)
    for (const row of listAt(page.body, "data")) if (Predicate.isObject(row)) rows.push({ ...row })
    cursor = at(page.body, "nextCursor")
  } while (typeof cursor === "string")
  return rows
})

/** All visible data of a user's shops, by the ids of the shops. */
export const shownBooks = Effect.fnUntraced(function* (send: Send) {
  const [customers, orders, products, carts] = [
    yield* everyRow(send, "/commerce/customers"),
    yield* everyRow(send, "/commerce/orders"),
    yield* everyRow(send, "/commerce/products"),
    yield* everyRow(send, "/commerce/carts")
  ]
  const externalIds = new Map([...customers, ...products].map((row) => [row["id"], row["externalId"]]))
  const named = (id: unknown) => (id === null ? null : (externalIds.get(id) ?? `unknown ${String(id)}`))
  const linesOf = (row: Row) =>
    listAt(row, "lines").map((line) =>
      Predicate.isObject(line)
        ? { ...without(line, "productId"), externalProductId: named(at(line, "productId")) }
        : line
    )
  const own = ["id", "storeConnectionId", "contactId", "customerId", "createdAt", "updatedAt"]
  return {
    customers: inOrder(customers.map((row) => without(row, ...own, "linkedBy", "conflictContactId"))),
    products: inOrder(products.map((row) => without(row, ...own))),
    orders: inOrder(
      orders.map((row) => ({
        ...without(row, ...own),
        externalCustomerId: named(row["customerId"]),
        lines: linesOf(row)
      }))
    ),
    carts: inOrder(
      carts.map((row) => ({
        externalId: row["externalId"],
        externalCustomerId: named(row["customerId"]),
        lines: linesOf(row),
        total: row["total"],
        recoveryUrl: row["recoveryUrl"],
        lastActivityAt: row["lastActivityAt"]
      }))
    )
  }
})

/** Expected data of a shop with these records. */
export const expectedBooks = (books: Books) => ({
  customers: inOrder(
    [...books.customers()].map(
      ({ chatConsent, emailConsent, phones, smsConsent, updatedAt: _updatedAt, ...customer }) => ({
        ...customer,
        phone: phones.flatMap((phone) => parsePhoneNumber(phone, "DE") ?? [])[0] ?? null,
        smsConsent: smsConsent.state,
        chatConsent: chatConsent.state,
        emailConsent: emailConsent.state
      })
    )
  ),
  products: inOrder([...books.products()].map(({ updatedAt: _updatedAt, ...product }) => product)),
  orders: inOrder(
    [...books.orders()].map(
      ({ checkoutToken: _token, email: _email, phone: _phone, updatedAt: _updatedAt, ...order }) => ({
        ...order,
        refunds: order.refunds.map(({ amount, at: time }) => ({ amount, at: time }))
      })
    )
  ),
  carts: inOrder(
    [...books.carts()].map(({ externalCustomerId, externalId, lines, recoveryUrl, total, updatedAt }) => ({
      externalId,
      externalCustomerId,
      lines,
      total,
      recoveryUrl,
      lastActivityAt: updatedAt
    }))
  )
})

/** Expected data of the contact for the orders of one customer of the shop. */
export const expectedOf = (books: Books, externalId: string) => {
  const orders = [...books.orders()]
    .filter((order) => order.externalCustomerId === externalId)
    .toSorted((one, other) => DateTime.Order(other.placedAt, one.placedAt))
  const counted = orders.filter(({ cancelledAt, test }) => cancelledAt === null && !test)
  const currency = orders[0]?.total.currency
  return asJson({
    customers: [externalId],
    orders: orders.map((order) => order.externalId).toSorted(),
    lifetime: [
      {
        currency,
        orderCount: counted.length,
        spent: {
          amountMinor: counted.reduce((sum, { paid, refunded }) => sum + paid.amountMinor - refunded.amountMinor, 0),
          currency
        },
        firstOrderAt: counted.at(-1)?.placedAt,
        lastOrderAt: counted[0]?.placedAt
      }
    ]
  })
}

/** The same, from the service. */
export const shownOf = (answer: Answer) => ({
  customers: listAt(answer.body, "customers").map(idOf),
  // Any order from the same second can be the newest.
  orders: listAt(answer.body, "orders").map(idOf).toSorted(),
  lifetime: listAt(answer.body, "lifetime")
})
