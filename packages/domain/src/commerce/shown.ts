import type { DateTime } from "effect"
import { unchecked } from "../kernel/index.ts"
import { Cart, type KeptCart } from "./Cart.ts"
import type { CommerceRows, ContactCommerce } from "./ContactCommerce.ts"
import type { ExternalRef, KnownRef, ProductId, StoreConnectionId, StoreCustomerId } from "./Ids.ts"
import { type KeptOrder, Order, type StoreLine } from "./Order.ts"
import { type StoreConnection, StoreConnectionView } from "./StoreConnection.ts"
import type { LineRecord } from "./shopRecords.ts"
import { freshnessOf } from "./syncing/syncSchedule.ts"

/** What records of shops refer to, by the shops' ids. */
export interface References {
  readonly customerIds: ReadonlyArray<KnownRef<StoreCustomerId>>
  readonly productIds: ReadonlyArray<KnownRef<ProductId>>
}

const [orderWith, cartWith] = [unchecked(Order), unchecked(Cart)]

const nameOf = ({ externalId, storeConnectionId }: ExternalRef) => `${storeConnectionId} ${externalId}`

const lookUp = <Id>(refs: ReadonlyArray<KnownRef<Id>>) => {
  const ids = new Map(refs.map((ref) => [nameOf(ref), ref.id]))
  return (storeConnectionId: KeptOrder["storeConnectionId"], externalId: string | null): Id | null =>
    externalId === null ? null : (ids.get(nameOf({ storeConnectionId, externalId })) ?? null)
}

/** What these records of shops refer to. */
export const refsOf = (
  records: ReadonlyArray<
    Pick<KeptCart, "storeConnectionId"> & { readonly record: KeptCart["record"] | KeptOrder["record"] }
  >
) => {
  const ref = (storeConnectionId: KeptOrder["storeConnectionId"], externalId: string | null) =>
    externalId === null ? [] : [{ storeConnectionId, externalId }]
  const unique = (refs: ReadonlyArray<ExternalRef>) => [...new Map(refs.map((each) => [nameOf(each), each])).values()]
  return {
    customers: unique(
      records.flatMap(({ record, storeConnectionId }) => ref(storeConnectionId, record.externalCustomerId))
    ),
    products: unique(
      records.flatMap(({ record, storeConnectionId }) =>
        record.lines.flatMap(({ externalProductId }) => ref(storeConnectionId, externalProductId))
      )
    )
  }
}

/** Shows orders and carts with what they refer to. */
export const showing = ({ customerIds, productIds }: References) => {
  const [customerOf, productOf] = [lookUp(customerIds), lookUp(productIds)]
  const lineOf =
    (storeConnectionId: KeptOrder["storeConnectionId"]) =>
    ({ externalProductId, ...line }: LineRecord): StoreLine => ({
      productId: productOf(storeConnectionId, externalProductId),
      ...line
    })
  return {
    order: ({ contactId, createdAt, id, record, storeConnectionId, updatedAt }: KeptOrder): Order => {
      const { checkoutToken: _token, email: _email, externalCustomerId, phone: _phone, ...shown } = record
      return orderWith({
        ...shown,
        id,
        storeConnectionId,
        customerId: customerOf(storeConnectionId, externalCustomerId),
        contactId,
        lines: record.lines.map(lineOf(storeConnectionId)),
        refunds: record.refunds.map(({ amount, at }) => ({ amount, at })),
        createdAt,
        updatedAt
      })
    },
    cart: ({
      abandonedAt,
      contactId,
      createdAt,
      id,
      orderId,
      record,
      state,
      storeConnectionId,
      updatedAt
    }: KeptCart): Cart =>
      cartWith({
        id,
        storeConnectionId,
        externalId: record.externalId,
        customerId: customerOf(storeConnectionId, record.externalCustomerId),
        contactId,
        state,
        lines: record.lines.map(lineOf(storeConnectionId)),
        total: record.total,
        recoveryUrl: record.recoveryUrl,
        lastActivityAt: record.updatedAt,
        abandonedAt,
        orderId,
        createdAt,
        updatedAt
      })
  }
}

/** A store as it is shown at this time. */
export const shownConnection = (
  connection: StoreConnection,
  now: DateTime.Utc,
  oldestMark: DateTime.Utc | null = null,
  skippedRecords = 0
): StoreConnectionView => {
  const {
    asOf: _asOf,
    country: _country,
    fullAsOf: _fullAsOf,
    retry: _retry,
    shopId: _shopId,
    uninstalledAt: _uninstalledAt,
    ...shown
  } = connection
  return new StoreConnectionView({ ...shown, freshness: freshnessOf(connection, oldestMark, now), skippedRecords })
}

/** A contact across all stores, as it is shown at this time. */
export const shownCommerce = (
  rows: CommerceRows,
  now: DateTime.Utc,
  oldestMarks: ReadonlyMap<StoreConnectionId, DateTime.Utc>
): ContactCommerce => {
  const show = showing(rows)
  return {
    contactId: rows.contactId,
    customers: rows.customers.map(({ customer }) => customer),
    lifetime: rows.lifetime,
    orders: rows.orders.map(show.order),
    carts: rows.carts.map(show.cart),
    stores: rows.connections.map((connection) => ({
      storeConnectionId: connection.id,
      name: connection.name,
      status: connection.status,
      freshness: freshnessOf(connection, oldestMarks.get(connection.id) ?? null, now)
    }))
  }
}
