import { GraphQLError } from "graphql"
import type { Catalog, Listed, Place } from "./Catalog.ts"
import { amountText } from "./money.ts"
import type { ProtectedField } from "./Options.ts"
import { imageUrlOf, recoveryUrlOf, timeText } from "./payloads/index.ts"
import type {
  Collection,
  Consent,
  ShopCheckout,
  ShopCustomer,
  ShopLine,
  ShopOrder,
  ShopProduct,
  ShopRecords
} from "./Records.ts"
import type { Shelves, Shop } from "./World.ts"

const refused = (message: string) =>
  new GraphQLError(message, {
    extensions: { code: "ACCESS_DENIED", documentation: "https://shopify.dev/api/usage/access-scopes" }
  })

/** The field needs a scope that was not granted. */
export const withoutScope = (field: string, scope: string) =>
  refused(`Access denied for ${field} field. Required access: \`${scope}\` access scope.`)

const money = (amount: number, currencyCode: string) => ({ amount: amountText(amount, currencyCode), currencyCode })

const timeOrNull = (time: number | null) => (time === null ? null : timeText(time))

/** Consent of a channel, in the states of version 2026-10. */
const consentNode = ({ at, state }: Consent) => ({
  state: state === "NOT_SUBSCRIBED" ? "NEVER_SUBSCRIBED" : state,
  updatedAt: timeOrNull(at)
})

export const gid = (type: string, id: number) => `gid://shopify/${type}/${id}`

/** The number at the end of an id of this type; `null` if it is none. */
export const numberIn = (id: string, type: string): number | null => {
  const [, found] = new RegExp(`^gid://shopify/${type}/(\\d{1,16})(?:\\?.*)?$`, "u").exec(id) ?? []
  return found === undefined ? null : Number(found)
}

interface PageOf {
  readonly after?: string | null
  readonly first?: number | null
}

const mostOfAPage = 250

/** Connection over an in-memory list; the whole list without a page size. */
const listed = <Row, Node>(rows: ReadonlyArray<Row>, shown: (row: Row) => Node, { after, first }: PageOf) => {
  const from = after == null ? 0 : Number(after)
  const page = rows.slice(from, first == null ? undefined : from + Math.min(first, mostOfAPage))
  const nodes = page.map(shown)
  return {
    nodes,
    edges: nodes.map((node, index) => ({ cursor: String(from + index + 1), node })),
    pageInfo: { endCursor: String(from + page.length), hasNextPage: from + page.length < rows.length }
  }
}

/** Builds the provider's API objects from the shop's records on these shelves. */
export const makeNodes = (shop: Shop, shelves: Shelves) => {
  // Rejects each field that the app is not approved for.
  const guarded =
    <Value>(field: ProtectedField, value: () => Value) =>
    (): Value => {
      if (!shop.protectedFields.has(field)) return value()
      throw refused(`This app is not approved to use the ${field} field.`)
    }
  const changedAt = (kind: Collection, { id, updatedAt }: Listed) =>
    shop.corrupted.has(`${kind} ${id}`) ? "not a time" : timeText(updatedAt)
  const bag = (amount: number, presented?: { readonly currency: string; readonly total: number }) => ({
    shopMoney: money(amount, shop.currency),
    presentmentMoney:
      presented === undefined ? money(amount, shop.currency) : money(presented.total, presented.currency)
  })

  const customer = (row: ShopCustomer) => ({
    __typename: "Customer",
    id: gid("Customer", row.id),
    firstName: guarded("name", () => row.firstName),
    lastName: guarded("name", () => row.lastName),
    displayName: guarded("name", () => [row.firstName, row.lastName].filter((name) => name !== null).join(" ")),
    defaultEmailAddress: guarded("email", () =>
      row.email === null
        ? null
        : {
            emailAddress: row.email,
            marketingState: row.emails.state,
            marketingUpdatedAt: timeOrNull(row.emails.at)
          }
    ),
    defaultPhoneNumber: guarded("phone", () =>
      row.phone === null
        ? null
        : {
            phoneNumber: row.phone,
            marketingState: row.sms.state,
            marketingUpdatedAt: timeOrNull(row.sms.at),
            smsMarketingConsent: consentNode(row.sms),
            whatsAppMarketingConsent: consentNode(row.whatsApp)
          }
    ),
    defaultAddress: guarded("address", () =>
      row.addressPhone === null ? null : { phone: guarded("phone", () => row.addressPhone) }
    ),
    locale: row.locale,
    tags: row.tags,
    updatedAt: changedAt("customers", row)
  })

  const customerOf = (id: number | null) =>
    guarded("customer", () => {
      const row = id === null ? null : shelves.customers.get(id)
      return row === null ? null : customer(row)
    })

  const productOf = (id: number | null) => {
    const row = id === null ? null : shelves.products.get(id)
    return row === null ? null : product(row)
  }

  const variant = ({ available, id, price, sku, title }: ShopProduct["variants"][number]) => ({
    __typename: "ProductVariant",
    id: gid("ProductVariant", id),
    availableForSale: available,
    price: amountText(price, shop.currency),
    sku,
    title
  })

  const variantOf = (line: ShopLine) => {
    const row = line.productId === null ? null : shelves.products.get(line.productId)
    const found = row?.variants.find(({ id }) => id === line.variantId)
    return found === undefined ? null : variant(found)
  }

  const product = (row: ShopProduct) => ({
    __typename: "Product",
    id: gid("Product", row.id),
    title: row.title,
    status: row.status,
    onlineStoreUrl: row.status === "ACTIVE" ? `https://${shop.domain}/products/${row.handle}` : null,
    featuredMedia: {
      __typename: "MediaImage",
      id: gid("MediaImage", row.id),
      preview: { image: imageOf(row) }
    },
    updatedAt: changedAt("products", row),
    variants: (page: PageOf) => listed(row.variants, variant, page)
  })

  const imageOf = (row: ShopProduct) => ({ url: imageUrlOf(shop, row) })

  const lineOf = (line: ShopLine) => ({
    image: () => {
      const row = line.productId === null ? null : shelves.products.get(line.productId)
      return row === null ? null : imageOf(row)
    },
    title: line.title,
    variantTitle: line.variantTitle,
    sku: line.sku,
    quantity: line.quantity,
    originalUnitPriceSet: bag(line.unit),
    product: () => productOf(line.productId),
    variant: () => variantOf(line)
  })

  const lineItem = (line: ShopLine) => ({
    __typename: "LineItem",
    id: gid("LineItem", line.id),
    ...lineOf(line),
    currentQuantity: line.currentQuantity,
    totalDiscountSet: bag(line.discount)
  })

  const cut = <Row>(rows: ReadonlyArray<Row>, { first }: PageOf) => rows.slice(0, first ?? undefined)

  const order = (row: ShopOrder) => ({
    __typename: "Order",
    id: gid("Order", row.id),
    name: row.name,
    customer: customerOf(row.customerId),
    phone: guarded("phone", () => row.phone),
    email: guarded("email", () => row.email),
    shippingAddress: guarded("address", () => null),
    checkoutToken: row.checkoutToken,
    createdAt: timeText(row.placedAt),
    processedAt: timeText(row.placedAt),
    updatedAt: changedAt("orders", row),
    cancelledAt: timeOrNull(row.cancelledAt),
    test: row.test,
    displayFinancialStatus: row.financial,
    displayFulfillmentStatus: row.fulfilment,
    totalPriceSet: bag(row.total, row.presentment),
    currentTotalPriceSet: bag(row.currentTotal),
    totalTaxSet: bag(row.tax),
    totalShippingPriceSet: bag(row.shipping),
    totalDiscountsSet: bag(row.discount),
    totalReceivedSet: bag(row.received),
    totalRefundedSet: bag(row.refunds.reduce((sum, { amount }) => sum + amount, 0)),
    statusPageUrl: `https://${shop.domain}/${shop.id}/orders/${row.id}`,
    lineItems: (page: PageOf) => listed(row.lines, lineItem, page),
    fulfillments: (page: PageOf) =>
      cut(row.fulfilments, page).map((fulfilment) => ({
        __typename: "Fulfillment",
        id: gid("Fulfillment", fulfilment.id),
        displayStatus: fulfilment.status,
        createdAt: timeText(fulfilment.createdAt),
        updatedAt: timeText(fulfilment.updatedAt),
        trackingInfo:
          fulfilment.number === null
            ? []
            : [{ company: fulfilment.company, number: fulfilment.number, url: fulfilment.url }]
      })),
    refunds: (page: PageOf) =>
      cut(row.refunds, page).map((refund) => ({
        __typename: "Refund",
        id: gid("Refund", refund.id),
        createdAt: timeText(refund.at),
        processedAt: timeText(refund.at),
        totalRefundedSet: bag(refund.amount)
      }))
  })

  const checkout = (row: ShopCheckout) => ({
    __typename: "AbandonedCheckout",
    id: gid("AbandonedCheckout", row.id),
    abandonedCheckoutUrl: recoveryUrlOf(shop, row),
    createdAt: timeText(row.createdAt),
    updatedAt: changedAt("abandonedCheckouts", row),
    completedAt: timeOrNull(row.completedAt),
    customer: guarded("customer", () => {
      const known = row.customerId === null ? null : shelves.customers.get(row.customerId)
      return known === null ? null : customer(known)
    }),
    shippingAddress: guarded("address", () =>
      row.phone === null ? null : { phone: guarded("phone", () => row.phone) }
    ),
    totalPriceSet: bag(row.total),
    lineItems: (page: PageOf) =>
      listed(
        row.lines,
        (line) => ({
          __typename: "AbandonedCheckoutLineItem",
          id: gid("AbandonedCheckoutLineItem", line.id),
          ...lineOf(line),
          discountedTotalPriceSet: bag(line.unit * line.quantity - line.discount)
        }),
        page
      )
  })

  const shown = { customers: customer, orders: order, products: product, abandonedCheckouts: checkout } satisfies {
    readonly [Kind in Collection]: (row: ShopRecords[Kind]) => object
  }

  const types = {
    customers: "Customer",
    orders: "Order",
    products: "Product",
    abandonedCheckouts: "AbandonedCheckout"
  } as const

  /** A collection in each order, from each position on, with the simulated filters. */
  const rows = <Row extends Listed>(
    catalog: Catalog<Row>,
    { createdFrom, updatedFrom, idAfter }: Filter,
    place: Place | null,
    order: "id" | "updatedAt"
  ) => {
    const beginning = order === "updatedAt" ? { at: (updatedFrom ?? 0) - 1, id: -1 } : { at: 0, id: idAfter ?? -1 }
    const from = place ?? beginning
    return catalog
      .after(from, order)
      .filter(
        (row) =>
          row.updatedAt >= (updatedFrom ?? Number.NEGATIVE_INFINITY) &&
          (row.createdAt ?? row.placedAt ?? 0) >= (createdFrom ?? Number.NEGATIVE_INFINITY) &&
          row.id > (idAfter ?? -1)
      )
  }

  const nodeOf = (id: string): object | null => {
    const find = <Row extends Listed>(catalog: Catalog<Row>, type: string, show: (row: Row) => object) => {
      const number = numberIn(id, type)
      const row = number === null ? null : catalog.get(number)
      return row === null ? null : show(row)
    }
    return (
      find(shelves.orders, types.orders, order) ??
      find(shelves.customers, types.customers, customer) ??
      find(shelves.products, types.products, product) ??
      find(shelves.abandonedCheckouts, types.abandonedCheckouts, checkout)
    )
  }

  /** Some nodes of a collection, lazily. */
  const stream = (
    kind: Collection,
    filter: Filter,
    place: Place | null,
    order: "id" | "updatedAt"
  ): IteratorObject<ShownRow, undefined> => {
    switch (kind) {
      case "customers":
        return rows(shelves.customers, filter, place, order).map((row) => ({ row, node: shown.customers(row) }))
      case "orders":
        return rows(shelves.orders, filter, place, order).map((row) => ({ row, node: shown.orders(row) }))
      case "products":
        return rows(shelves.products, filter, place, order).map((row) => ({ row, node: shown.products(row) }))
      case "abandonedCheckouts":
        return rows(shelves.abandonedCheckouts, filter, place, order).map((row) => ({
          row,
          node: shown.abandonedCheckouts(row)
        }))
    }
  }

  return { nodeOf, stream }
}
export type Nodes = ReturnType<typeof makeNodes>

/** A record, and its GraphQL object. */
export interface ShownRow {
  readonly row: Listed
  readonly node: object
}

/** The filters of a search that are simulated. */
export interface Filter {
  readonly updatedFrom: number | null
  readonly createdFrom: number | null
  readonly idAfter: number | null
}
