import { DateTime } from "effect"
import { amountText } from "./money.ts"
import type {
  ShopCheckout,
  ShopCustomer,
  ShopFulfilment,
  ShopLine,
  ShopOrder,
  ShopProduct,
  ShopRefund
} from "./Records.ts"
import type { Shop } from "./World.ts"

/** A time in the format of the provider's deliveries. */
export const timeText = (time: number): string => DateTime.formatIso(DateTime.makeUnsafe(time)).replace(/\.\d+Z$/u, "Z")

const timeOrNull = (time: number | null) => (time === null ? null : timeText(time))

const gid = (type: string, id: number) => `gid://shopify/${type}/${id}`

const lower = (word: string) => word.toLowerCase()

const set = (shop: Shop, amount: number) => ({
  shop_money: { amount: amountText(amount, shop.currency), currency_code: shop.currency },
  presentment_money: { amount: amountText(amount, shop.currency), currency_code: shop.currency }
})

/** A customer, as deliveries tell it. */
export const customerPayload = (shop: Shop, customer: ShopCustomer) => ({
  id: customer.id,
  admin_graphql_api_id: gid("Customer", customer.id),
  created_at: timeText(customer.createdAt),
  updated_at: timeText(customer.updatedAt),
  first_name: customer.firstName,
  last_name: customer.lastName,
  email: customer.email,
  phone: customer.phone,
  state: "disabled",
  currency: shop.currency,
  default_address: { phone: customer.addressPhone, country_code: "DE" }
})

/** The SMS consent of a customer. The id is that of the customer. */
export const smsConsentPayload = ({ id, phone, sms }: ShopCustomer) => ({
  id,
  phone,
  sms_marketing_consent: {
    state: lower(sms.state),
    opt_in_level: "single_opt_in",
    consent_updated_at: timeOrNull(sms.at),
    consent_collected_from: "other"
  }
})

/** The email consent of a customer. */
export const emailConsentPayload = ({ email, emails, id }: ShopCustomer) => ({
  customer_id: id,
  email_address: email,
  email_marketing_consent: {
    state: lower(emails.state),
    opt_in_level: "single_opt_in",
    consent_updated_at: timeOrNull(emails.at)
  }
})

const linePayload = (shop: Shop, line: ShopLine) => ({
  product_id: line.productId,
  variant_id: line.variantId,
  sku: line.sku,
  title: line.title,
  variant_title: line.variantTitle,
  quantity: line.quantity,
  price: amountText(line.unit, shop.currency)
})

const orderLinePayload = (shop: Shop, line: ShopLine) => ({
  id: line.id,
  admin_graphql_api_id: gid("LineItem", line.id),
  ...linePayload(shop, line),
  name: line.title,
  current_quantity: line.currentQuantity,
  total_discount: amountText(line.discount, shop.currency)
})

/** A line of a checkout has no id of its own. */
const checkoutLinePayload = (shop: Shop, line: ShopLine) => ({
  ...linePayload(shop, line),
  key: String(line.id),
  applied_discounts: line.discount === 0 ? [] : [{ amount: amountText(line.discount, shop.currency) }],
  line_price: amountText(line.unit * line.quantity, shop.currency)
})

const fulfilmentText = (fulfilment: ShopOrder["fulfilment"]) => {
  if (fulfilment === "PARTIALLY_FULFILLED") return "partial"
  return fulfilment === "FULFILLED" ? "fulfilled" : null
}

/** An order, as deliveries tell it. */
export const orderPayload = (shop: Shop, order: ShopOrder) => ({
  id: order.id,
  admin_graphql_api_id: gid("Order", order.id),
  name: order.name,
  email: order.email ?? "",
  phone: order.phone,
  checkout_token: order.checkoutToken,
  customer: order.customerId === null ? null : { id: order.customerId, email: order.email, phone: order.phone },
  currency: shop.currency,
  presentment_currency: order.presentment.currency,
  financial_status: lower(order.financial),
  fulfillment_status: fulfilmentText(order.fulfilment),
  total_price: amountText(order.total, shop.currency),
  total_price_set: set(shop, order.total),
  current_total_price: amountText(order.currentTotal, shop.currency),
  test: order.test,
  created_at: timeText(order.placedAt),
  processed_at: timeText(order.placedAt),
  updated_at: timeText(order.updatedAt),
  cancelled_at: timeOrNull(order.cancelledAt),
  line_items: order.lines.map((line) => orderLinePayload(shop, line))
})

/** A checkout, as deliveries tell it: without its id. */
export const checkoutPayload = (shop: Shop, checkout: ShopCheckout) => ({
  token: checkout.token,
  cart_token: `c-${checkout.token}`,
  email: checkout.email ?? "",
  phone: checkout.phone,
  customer: checkout.customerId === null ? null : { id: checkout.customerId },
  currency: shop.currency,
  presentment_currency: shop.currency,
  abandoned_checkout_url: recoveryUrlOf(shop, checkout),
  total_price: amountText(checkout.total, shop.currency),
  created_at: timeText(checkout.createdAt),
  updated_at: timeText(checkout.updatedAt),
  completed_at: timeOrNull(checkout.completedAt),
  line_items: checkout.lines.map((line) => checkoutLinePayload(shop, line))
})

/** Returns the URL where a customer continues a checkout. */
export const recoveryUrlOf = (shop: Shop, { token }: ShopCheckout) =>
  `https://${shop.domain}/${shop.id}/checkouts/ac/${token}/recover?key=${token.split("").toReversed().join("")}`

/** Returns the URL of the image of a product. */
export const imageUrlOf = (shop: Shop, { handle }: ShopProduct) =>
  `https://cdn.shopify.com/s/files/1/${shop.id}/${handle}.png`

/** A product, as deliveries tell it. */
export const productPayload = (shop: Shop, product: ShopProduct) => ({
  id: product.id,
  admin_graphql_api_id: gid("Product", product.id),
  title: product.title,
  handle: product.handle,
  status: lower(product.status),
  created_at: timeText(product.createdAt),
  updated_at: timeText(product.updatedAt),
  variants: product.variants.map(({ id, price, sku, title }) => ({
    id,
    title,
    sku,
    price: amountText(price, shop.currency)
  }))
})

/** Money given back, as deliveries tell it. */
export const refundPayload = (shop: Shop, order: ShopOrder, refund: ShopRefund) => ({
  id: refund.id,
  admin_graphql_api_id: gid("Refund", refund.id),
  order_id: order.id,
  created_at: timeText(refund.at),
  processed_at: timeText(refund.at),
  transactions: [{ amount: amountText(refund.amount, shop.currency), currency: shop.currency, kind: "refund" }]
})

/** A parcel, as deliveries tell it. */
export const fulfilmentPayload = (order: ShopOrder, fulfilment: ShopFulfilment) => ({
  id: fulfilment.id,
  admin_graphql_api_id: gid("Fulfillment", fulfilment.id),
  order_id: order.id,
  status: "success",
  shipment_status: lower(fulfilment.status),
  tracking_company: fulfilment.company,
  tracking_number: fulfilment.number,
  created_at: timeText(fulfilment.createdAt),
  updated_at: timeText(fulfilment.updatedAt)
})

/** A change in the delivery of a parcel, as deliveries tell it. */
export const fulfilmentEventPayload = (shop: Shop, order: ShopOrder, fulfilment: ShopFulfilment) => {
  const id = fulfilment.id * 10 + (fulfilment.updatedAt % 10)
  return {
    id,
    admin_graphql_api_id: gid("FulfillmentEvent", id),
    shop_id: shop.id,
    order_id: order.id,
    fulfillment_id: fulfilment.id,
    status: lower(fulfilment.status),
    message: fulfilment.status,
    happened_at: timeText(fulfilment.updatedAt),
    created_at: timeText(fulfilment.updatedAt),
    updated_at: timeText(fulfilment.updatedAt)
  }
}

/** A shop, as deliveries tell it. */
export const shopPayload = (shop: Shop) => ({
  id: shop.id,
  name: shop.name,
  myshopify_domain: shop.domain,
  domain: shop.domain,
  currency: shop.currency,
  country_code: shop.country
})
