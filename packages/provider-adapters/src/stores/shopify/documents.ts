import { type RecordKind, recordLimits } from "@parley/domain/commerce"
import type { ApiVersion } from "./assumptions.ts"

/** Fields that the app may not read, by their names. */
export type Omitted = ReadonlySet<string>

const money = "{ shopMoney { amount currencyCode } }"

const unless = (omitted: Omitted, name: string, selection = "") =>
  omitted.has(name) ? "" : `${name}${selection === "" ? "" : ` ${selection}`}`

const address = (omitted: Omitted) => (omitted.has("phone") ? "" : "{ phone }")

/** Each channel has an own consent from 2026-10 on. The former fields are about SMS, and deprecated. */
const phoneConsents = (version: ApiVersion) =>
  version === "2026-07"
    ? "marketingState marketingUpdatedAt"
    : "smsMarketingConsent { state updatedAt } whatsAppMarketingConsent { state updatedAt }"

const customer = (omitted: Omitted, version: ApiVersion) => `
  id
  ${unless(omitted, "firstName")}
  ${unless(omitted, "lastName")}
  locale
  tags
  updatedAt
  ${unless(omitted, "defaultEmailAddress", "{ emailAddress marketingState marketingUpdatedAt }")}
  ${unless(omitted, "defaultPhoneNumber", `{ phoneNumber ${phoneConsents(version)} }`)}
  ${omitted.has("phone") ? "" : unless(omitted, "defaultAddress", address(omitted))}`

const order = (omitted: Omitted) => `
  id
  name
  ${unless(omitted, "customer", "{ id }")}
  ${unless(omitted, "phone")}
  ${unless(omitted, "email")}
  checkoutToken
  processedAt
  updatedAt
  cancelledAt
  test
  displayFinancialStatus
  displayFulfillmentStatus
  totalPriceSet { shopMoney { amount currencyCode } presentmentMoney { amount currencyCode } }
  currentTotalPriceSet ${money}
  totalTaxSet ${money}
  totalShippingPriceSet ${money}
  totalDiscountsSet ${money}
  totalReceivedSet ${money}
  totalRefundedSet ${money}
  statusPageUrl`

const parcels = (most: number) =>
  `fulfillments(first: ${most}) { displayStatus updatedAt trackingInfo(first: 1) { company number url } }`

const refunds = (most: number) => `refunds(first: ${most}) { id processedAt totalRefundedSet ${money} }`

const orderLine = `
  id
  title
  variantTitle
  sku
  image { url }
  quantity
  currentQuantity
  originalUnitPriceSet ${money}
  totalDiscountSet ${money}
  product { id }
  variant { id }`

const product = `
  id
  title
  status
  onlineStoreUrl
  updatedAt
  featuredMedia { preview { image { url } } }`

const variant = "id title sku price availableForSale"

const person = (omitted: Omitted) => `{
    id
    ${unless(omitted, "defaultEmailAddress", "{ emailAddress }")}
    ${unless(omitted, "defaultPhoneNumber", "{ phoneNumber }")}
  }`

const checkout = (omitted: Omitted) => `
  id
  abandonedCheckoutUrl
  completedAt
  updatedAt
  totalPriceSet ${money}
  ${unless(omitted, "customer", person(omitted))}
  ${omitted.has("phone") ? "" : unless(omitted, "shippingAddress", address(omitted))}`

const checkoutLine = `
  id
  title
  variantTitle
  sku
  image { url }
  quantity
  originalUnitPriceSet ${money}
  discountedTotalPriceSet ${money}
  product { id }
  variant { id }`

/** One more than stored is requested, to detect whether there are more. */
const oneMore = 1

/** Query of one kind of records. */
export interface Asking {
  /** The collection, the type, and the name of the list inside. */
  readonly collection: string
  readonly type: string
  readonly inner: string | null
  readonly sortKey: string
  /** Initial page size. A call may not cost more than the provider allows. */
  readonly pageSize: number
  /** Number of nested items with each record, and per page of the rest. */
  readonly innerSize: number
  readonly innerPageSize: number
  readonly innerMost: number
  readonly own: (omitted: Omitted, version: ApiVersion) => string
  readonly inside: string
  /** Lists that are read completely or not at all: short ones with the record, all of them when it is read alone. */
  readonly short: string
  readonly whole: string
}

/** Maximum number of parcels and refunds of an order in one call. */
export const shortLists = 5

const lists = (most: number) => `${parcels(most)} ${refunds(most)}`

/** Queries of records by kind. Page sizes keep the cost of a full page below the maximum. */
export const asking: { readonly [Kind in RecordKind]: Asking } = {
  products: {
    collection: "products",
    type: "Product",
    inner: "variants",
    sortKey: "UPDATED_AT",
    pageSize: 15,
    innerSize: 50,
    innerPageSize: 250,
    innerMost: recordLimits.variants,
    own: () => product,
    inside: variant,
    short: "",
    whole: ""
  },
  customers: {
    collection: "customers",
    type: "Customer",
    inner: null,
    sortKey: "UPDATED_AT",
    pageSize: 100,
    innerSize: 0,
    innerPageSize: 0,
    innerMost: 0,
    own: customer,
    inside: "",
    short: "",
    whole: ""
  },
  orders: {
    collection: "orders",
    type: "Order",
    inner: "lineItems",
    sortKey: "UPDATED_AT",
    pageSize: 8,
    innerSize: 10,
    innerPageSize: 100,
    innerMost: recordLimits.lines,
    own: order,
    inside: orderLine,
    short: lists(shortLists),
    whole: lists(recordLimits.fulfilments + oneMore)
  },
  carts: {
    collection: "abandonedCheckouts",
    type: "AbandonedCheckout",
    inner: "lineItems",
    // The provider does not sort these by their changes.
    sortKey: "ID",
    pageSize: 10,
    innerSize: 10,
    innerPageSize: 100,
    innerMost: recordLimits.lines,
    own: checkout,
    inside: checkoutLine,
    short: "",
    whole: ""
  }
}

const page = "pageInfo { hasNextPage endCursor }"

const node = ({ inner, innerSize, inside, own, short }: Asking, omitted: Omitted, version: ApiVersion) =>
  `${own(omitted, version)} ${short} ${inner === null ? "" : `${inner}(first: ${innerSize}) { nodes { ${inside} } ${page} }`}`

/** A page of a collection. */
export const listDocument = (kind: RecordKind, omitted: Omitted, version: ApiVersion): string => {
  const asked = asking[kind]
  return `query Parley_${kind}($first: Int!, $after: String, $query: String) {
    shop { currencyCode }
    ${asked.collection}(first: $first, after: $after, query: $query, sortKey: ${asked.sortKey}) {
      nodes { ${node(asked, omitted, version)} }
      ${page}
    }
  }`
}

/** Some records by their ids. */
export const nodesDocument = (kind: RecordKind, omitted: Omitted, version: ApiVersion): string => {
  const asked = asking[kind]
  return `query Parley_${kind}_read($ids: [ID!]!) {
    shop { currencyCode }
    currentAppInstallation { accessScopes { handle } }
    nodes(ids: $ids) { ... on ${asked.type} { ${node(asked, omitted, version)} } }
  }`
}

/** More of the list inside of a record. */
export const innerDocument = (kind: RecordKind): string => {
  const { inner, innerPageSize, inside, type } = asking[kind]
  return `query Parley_${kind}_inside($id: ID!, $after: String) {
    node(id: $id) { ... on ${type} { ${inner}(first: ${innerPageSize}, after: $after) { nodes { ${inside} } ${page} } } }
  }`
}

/** The lists of a record that do not come in pages, whole. */
export const wholeDocument = (kind: RecordKind): string => {
  const { type, whole } = asking[kind]
  return `query Parley_${kind}_whole($id: ID!) { node(id: $id) { ... on ${type} { ${whole} } } }`
}

/** Everything of a collection, as an export. It may have no variables. */
export const exportDocument = (
  kind: RecordKind,
  omitted: Omitted,
  version: ApiVersion,
  search: string | null
): string => {
  const { collection, inner, inside, own, whole } = asking[kind]
  const filter = search === null ? "" : `(query: ${JSON.stringify(search)})`
  const list = inner === null ? "" : `${inner} { edges { node { ${inside} } } }`
  return `{ ${collection}${filter} { edges { node { ${own(omitted, version)} ${whole} ${list} } } } }`
}

export const runExportDocument = `mutation Parley_export($query: String!) {
  bulkOperationRunQuery(query: $query, groupObjects: true) {
    bulkOperation { id }
    userErrors { code message }
  }
}`

export const exportStatusDocument = `query Parley_export_status($id: ID!) {
  shop { currencyCode }
  bulkOperation(id: $id) { status errorCode rootObjectCount url }
}`

export const shopDocument = `query Parley_shop {
  shop { id name myshopifyDomain currencyCode shopAddress { countryCodeV2 } }
}`

export const subscriptionsDocument = `query Parley_subscriptions($after: String) {
  webhookSubscriptions(first: 100, after: $after) { nodes { topic uri } ${page} }
}`

export const subscribeDocument = `mutation Parley_subscribe($topic: WebhookSubscriptionTopic!, $uri: String!) {
  webhookSubscriptionCreate(topic: $topic, webhookSubscription: { uri: $uri, format: JSON }) {
    userErrors { message }
  }
}`
