import { amountText } from "../money.ts"
import type { ShopLine, ShopOrder, ShopRefund } from "../Records.ts"
import type { Shop } from "../World.ts"
import { buyerIn } from "./customers.ts"
import { orderLinePayload } from "./lines.ts"
import { gid, lower, moneySet, timeOrNull, timeText } from "./values.ts"

/** Published fields that the simulator does not fill. */
const unusedFields = {
  app_id: null,
  browser_ip: null,
  buyer_accepts_marketing: false,
  cart_token: null,
  closed_at: null,
  confirmation_number: null,
  customer_locale: null,
  device_id: null,
  discount_applications: [],
  discount_codes: [],
  duties_included: false,
  estimated_taxes: false,
  fulfillments: [],
  landing_site: null,
  landing_site_ref: null,
  line_item_groups: [],
  location_id: null,
  merchant_business_entity_id: "",
  merchant_of_record_app_id: null,
  note: null,
  payment_gateway_names: [],
  po_number: null,
  reference: null,
  referring_site: null,
  refunds: [],
  returns: [],
  shipping_address: null,
  shipping_lines: [],
  source_identifier: null,
  source_name: "web",
  source_url: null,
  tags: "",
  tax_exempt: false,
  taxes_included: false,
  total_tip_received: "0.00",
  total_weight: 0,
  user_id: null
}

const fulfilmentText = (fulfilment: ShopOrder["fulfilment"]) => {
  if (fulfilment === "PARTIALLY_FULFILLED") return "partial"
  return fulfilment === "FULFILLED" ? "fulfilled" : null
}

const amountsOf = (shop: Shop, order: ShopOrder) => {
  const text = (amount: number) => amountText(amount, shop.currency)
  const goods = order.total - order.shipping - order.tax
  return {
    total_price: text(order.total),
    total_price_set: moneySet(shop, order.total),
    total_tax: text(order.tax),
    total_discounts: text(order.discount),
    total_line_items_price: text(goods + order.discount),
    total_outstanding: text(Math.max(0, order.total - order.received)),
    subtotal_price: text(goods),
    current_total_price: text(order.currentTotal),
    current_total_price_set: moneySet(shop, order.currentTotal),
    current_subtotal_price: text(Math.max(0, order.currentTotal - order.shipping - order.tax)),
    current_total_discounts: text(order.discount),
    current_total_tax: text(order.tax)
  }
}

/** Payload of an order. */
export const orderPayload = (shop: Shop, order: ShopOrder) => {
  const number = Number(order.name.replace(/\D/gu, ""))
  const token = order.id.toString(36)
  return {
    ...unusedFields,
    ...amountsOf(shop, order),
    id: order.id,
    admin_graphql_api_id: gid("Order", order.id),
    name: order.name,
    number: number - 1_000,
    order_number: number,
    token,
    order_status_url: `https://${shop.domain}/${shop.id}/orders/${token}/authenticate`,
    email: order.email ?? "",
    contact_email: order.email,
    phone: order.phone,
    checkout_token: order.checkoutToken,
    customer: buyerIn(shop, order),
    currency: shop.currency,
    presentment_currency: order.presentment.currency,
    financial_status: lower(order.financial),
    fulfillment_status: fulfilmentText(order.fulfilment),
    confirmed: true,
    test: order.test,
    created_at: timeText(order.placedAt),
    processed_at: timeText(order.placedAt),
    updated_at: timeText(order.updatedAt),
    cancelled_at: timeOrNull(order.cancelledAt),
    cancel_reason: order.cancelledAt === null ? null : "other",
    line_items: order.lines.map((line) => orderLinePayload(shop, line))
  }
}

const nothingChanged = { additions: [], removals: [] }

/** Payload of an edited order: a line was taken out. */
export const orderEditPayload = (order: ShopOrder, taken: ShopLine | undefined, at: number) => ({
  order_edit: {
    id: order.id * 10,
    app_id: null,
    order_id: order.id,
    created_at: timeText(at),
    committed_at: timeText(at),
    notify_customer: false,
    staff_note: "",
    user_id: null,
    line_items: {
      additions: [],
      removals: taken === undefined ? [] : [{ id: taken.id, delta: taken.currentQuantity }]
    },
    discounts: { line_item: nothingChanged },
    shipping_lines: nothingChanged
  }
})

/** Payload of a refund. */
export const refundPayload = (shop: Shop, order: ShopOrder, refund: ShopRefund) => ({
  id: refund.id,
  admin_graphql_api_id: gid("Refund", refund.id),
  order_id: order.id,
  created_at: timeText(refund.at),
  processed_at: timeText(refund.at),
  note: null,
  restock: false,
  return: null,
  user_id: null,
  duties: [],
  order_adjustments: [],
  refund_line_items: [],
  refund_shipping_lines: [],
  transactions: [
    {
      id: refund.id * 10,
      admin_graphql_api_id: gid("OrderTransaction", refund.id * 10),
      order_id: order.id,
      kind: "refund",
      amount: amountText(refund.amount, shop.currency),
      currency: shop.currency,
      status: "success",
      gateway: "bogus",
      message: "",
      test: order.test,
      created_at: timeText(refund.at),
      processed_at: timeText(refund.at),
      amount_rounding: null,
      authorization: null,
      device_id: null,
      error_code: null,
      location_id: null,
      manual_payment_gateway: false,
      parent_id: null,
      payment_id: `${order.name}.1`,
      source_name: "web",
      user_id: null
    }
  ]
})
