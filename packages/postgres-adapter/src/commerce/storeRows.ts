import { normalizeForSearch, Timestamp } from "@parley/domain/kernel"
import { ContactId } from "@parley/domain/crm"
import {
  CartRecord,
  type CommerceQuery,
  CartId,
  CartState,
  GrossChange,
  type StoredCart,
  type StoredCustomer,
  type StoredOrder,
  type StoredProduct,
  OrderId,
  OrderRecord,
  Product,
  RefundId,
  StoreConnection,
  StoreConnectionId,
  StoreCustomer
} from "@parley/domain/commerce"
import { Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { searchForm } from "../crm/searchForm.ts"
import { containing } from "../crm/searchSql.ts"
import { asWritten, stamp } from "../kernel/columns.ts"

const Customer = Schema.Struct({
  ...StoreCustomer.fields,
  changedAt: Timestamp,
  smsConsentAt: Schema.NullOr(Timestamp),
  chatConsentAt: Schema.NullOr(Timestamp),
  closedAt: Schema.NullOr(Timestamp)
})

const Order = Schema.Struct({
  id: OrderId,
  storeConnectionId: StoreConnectionId,
  contactId: Schema.NullOr(ContactId),
  record: OrderRecord,
  refundIds: Schema.Array(RefundId),
  gross: Schema.Array(GrossChange),
  deletedAt: Schema.NullOr(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp
})

const Cart = Schema.Struct({
  id: CartId,
  storeConnectionId: StoreConnectionId,
  contactId: Schema.NullOr(ContactId),
  record: CartRecord,
  state: CartState,
  abandonedAt: Schema.NullOr(Timestamp),
  toldAt: Schema.NullOr(Timestamp),
  orderId: Schema.NullOr(OrderId),
  closedAt: Schema.NullOr(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp
})

const KeptProductRow = Schema.Struct({ ...Product.fields, changedAt: Timestamp })
const Connection = Schema.Struct(StoreConnection.fields)

/** Rows are read as JSON everywhere, so one statement can return everything about a contact. */
const codecOf = <A, I>(schema: Schema.Codec<A, I>) => ({
  decode: Schema.decodeSync(schema, asWritten),
  encode: Schema.encodeSync(schema, asWritten)
})

const [customers, orders, carts, products, connections] = [
  codecOf(Customer),
  codecOf(Order),
  codecOf(Cart),
  codecOf(KeptProductRow),
  codecOf(Connection)
]

export interface JsonRow<Row> {
  readonly row: Row
}

export type CustomerRow = typeof Customer.Encoded
export type OrderRow = typeof Order.Encoded
export type CartRow = typeof Cart.Encoded
export type ProductRow = typeof KeptProductRow.Encoded
export type ConnectionRow = typeof Connection.Encoded

export const customerOf = (row: CustomerRow): StoredCustomer => {
  const { changedAt, chatConsentAt, closedAt, smsConsentAt, ...customer } = customers.decode(row)
  return { customer: new StoreCustomer(customer, asWritten), changedAt, chatConsentAt, closedAt, smsConsentAt }
}
export const customerRow = ({
  changedAt,
  chatConsentAt,
  closedAt,
  customer,
  smsConsentAt
}: StoredCustomer): CustomerRow => customers.encode({ ...customer, changedAt, chatConsentAt, closedAt, smsConsentAt })

export const orderOf = (row: OrderRow): StoredOrder => orders.decode(row)
export const orderRow = (order: StoredOrder): OrderRow => orders.encode(order)

export const cartOf = (row: CartRow): StoredCart => carts.decode(row)
export const cartRow = (cart: StoredCart): CartRow => carts.encode(cart)

export const productOf = (row: ProductRow): StoredProduct => {
  const { changedAt, ...product } = products.decode(row)
  return { product: new Product(product, asWritten), changedAt }
}
export const productRow = ({ changedAt, product }: StoredProduct): ProductRow =>
  products.encode({ ...product, changedAt })

export const connectionOf = (row: ConnectionRow): StoreConnection =>
  new StoreConnection(connections.decode(row), asWritten)
export const connectionRow = (connection: StoreConnection): ConnectionRow => connections.encode({ ...connection })

/** Columns of each table with their field names. */
export const rowColumns = {
  customers: `id, store_connection_id AS "storeConnectionId", external_id AS "externalId", name, phone, email, locale, tags,
    sms_consent AS "smsConsent", chat_consent AS "chatConsent", chat_consent_at AS "chatConsentAt", email_consent AS "emailConsent", contact_id AS "contactId", linked_by AS "linkedBy",
    conflict_contact_id AS "conflictContactId", changed_at AS "changedAt", sms_consent_at AS "smsConsentAt",
    closed_at AS "closedAt", created_at AS "createdAt", updated_at AS "updatedAt"`,
  orders: `id, store_connection_id AS "storeConnectionId", contact_id AS "contactId", record, refund_ids AS "refundIds", gross,
    deleted_at AS "deletedAt", created_at AS "createdAt", updated_at AS "updatedAt"`,
  carts: `id, store_connection_id AS "storeConnectionId", contact_id AS "contactId", record, state,
    abandoned_at AS "abandonedAt", abandonment_published_at AS "toldAt", order_id AS "orderId", closed_at AS "closedAt",
    created_at AS "createdAt", updated_at AS "updatedAt"`,
  products: `id, store_connection_id AS "storeConnectionId", external_id AS "externalId", title, status, url,
    image_url AS "imageUrl", variants, changed_at AS "changedAt", created_at AS "createdAt", updated_at AS "updatedAt"`,
  connections: `id, provider, shop_domain AS "shopDomain", shop_id AS "shopId", name, currency, country, status, scopes,
    make_contacts AS "makeContacts", take_consent AS "takeConsent",
    cart_abandoned_after_minutes AS "cartAbandonedAfterMinutes", orders_since AS "ordersSince", sync, as_of AS "asOf",
    full_as_of AS "fullAsOf", last_synced_at AS "lastSyncedAt", last_error AS "lastError", connected_at AS "connectedAt",
    uninstalled_at AS "uninstalledAt", removal_started_at AS "removalStartedAt", retry, created_at AS "createdAt", updated_at AS "updatedAt", version`
} as const

/** Conditions of a list of records about stores, contacts and changes. */
export const linkConditions = (
  sql: SqlClient.SqlClient,
  { contactId, storeConnectionId, updatedSince }: Omit<CommerceQuery, "q">
) => [
  ...(storeConnectionId === null ? [] : [sql`store_connection_id = ${storeConnectionId}`]),
  ...(contactId === null ? [] : [sql`contact_id = ${contactId}`]),
  ...(updatedSince === null ? [] : [sql`updated_at >= ${stamp(updatedSince)}`])
]

/** Conditions of a list of records. */
export const conditionsOf = (
  sql: SqlClient.SqlClient,
  { q, ...links }: CommerceQuery,
  after: ReadonlyArray<string> | null
) => [
  ...linkConditions(sql, links),
  ...(q === null ? [] : [sql`search LIKE ${containing(searchForm(normalizeForSearch(q)))}`]),
  ...(after === null ? [] : [sql`id < ${after[0]}::uuid`])
]
