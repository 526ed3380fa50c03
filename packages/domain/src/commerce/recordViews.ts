import type { DateTime } from "effect"
import { unvalidated } from "../kernel/index.ts"
import { Cart, type StoredCart } from "./Cart.ts"
import type { StoredContactCommerce, ContactCommerce } from "./ContactCommerce.ts"
import type { ExternalRef, KnownRef, ProductId, StoreConnectionId, StoreCustomerId } from "./Ids.ts"
import { type StoredOrder, Order, type StoreLine } from "./Order.ts"
import { type StoreConnection, StoreConnectionView } from "./StoreConnection.ts"
import type { LineRecord } from "./shopRecords.ts"
import { toFreshness } from "./syncing/syncSchedule.ts"

/** References of shop records, by the ids of the shop. */
export interface References {
  readonly customerIds: ReadonlyArray<KnownRef<StoreCustomerId>>
  readonly productIds: ReadonlyArray<KnownRef<ProductId>>
}

const [orderWith, cartWith] = [unvalidated(Order), unvalidated(Cart)]

const toRefKey = ({ externalId, storeConnectionId }: ExternalRef) => `${storeConnectionId} ${externalId}`

const makeLookup = <Id>(refs: ReadonlyArray<KnownRef<Id>>) => {
  const ids = new Map(refs.map((ref) => [toRefKey(ref), ref.id]))
  return (storeConnectionId: StoredOrder["storeConnectionId"], externalId: string | null): Id | null =>
    externalId === null ? null : (ids.get(toRefKey({ storeConnectionId, externalId })) ?? null)
}

/** Collects the references of shop records. */
export const collectRefs = (
  records: ReadonlyArray<
    Pick<StoredCart, "storeConnectionId"> & { readonly record: StoredCart["record"] | StoredOrder["record"] }
  >
) => {
  const ref = (storeConnectionId: StoredOrder["storeConnectionId"], externalId: string | null) =>
    externalId === null ? [] : [{ storeConnectionId, externalId }]
  const unique = (refs: ReadonlyArray<ExternalRef>) => [...new Map(refs.map((each) => [toRefKey(each), each])).values()]
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

/** Builds the views of orders and carts with resolved references. */
export const makeRecordViews = ({ customerIds, productIds }: References) => {
  const [customerOf, productOf] = [makeLookup(customerIds), makeLookup(productIds)]
  const lineOf =
    (storeConnectionId: StoredOrder["storeConnectionId"]) =>
    ({ externalProductId, ...line }: LineRecord): StoreLine => ({
      productId: productOf(storeConnectionId, externalProductId),
      ...line
    })
  return {
    order: ({ contactId, createdAt, id, record, storeConnectionId, updatedAt }: StoredOrder): Order => {
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
    }: StoredCart): Cart =>
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

/** Builds the view of a store at this time. */
export const toConnectionView = (
  connection: StoreConnection,
  now: DateTime.Utc,
  oldestMark: DateTime.Utc | null = null,
  skippedRecords = 0
): StoreConnectionView => {
  const {
    asOf: _asOf,
    country: _country,
    fullAsOf: _fullAsOf,
    removalStartedAt: _removalStartedAt,
    retry: _retry,
    shopId: _shopId,
    uninstalledAt: _uninstalledAt,
    ...shown
  } = connection
  return new StoreConnectionView({ ...shown, freshness: toFreshness(connection, oldestMark, now), skippedRecords })
}

/** Builds the view of a contact across all stores at this time. */
export const toCommerceView = (
  rows: StoredContactCommerce,
  now: DateTime.Utc,
  oldestMarks: ReadonlyMap<StoreConnectionId, DateTime.Utc>
): ContactCommerce => {
  const show = makeRecordViews(rows)
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
      freshness: toFreshness(connection, oldestMarks.get(connection.id) ?? null, now)
    }))
  }
}
