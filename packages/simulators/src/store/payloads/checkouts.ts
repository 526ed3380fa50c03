import { amountText } from "../money.ts"
import type { ShopCheckout } from "../Records.ts"
import type { Shop } from "../World.ts"
import { buyerIn } from "./customers.ts"
import { checkoutLinePayload } from "./lines.ts"
import { timeOrNull, timeText } from "./values.ts"

/** Returns the URL where a customer continues a checkout. */
export const recoveryUrlOf = (shop: Shop, { token }: ShopCheckout) =>
  `https://${shop.domain}/${shop.id}/checkouts/ac/${token}/recover?key=${token.split("").toReversed().join("")}`

/** Published fields that the simulator does not fill. */
const unusedFields = {
  buyer_accepts_marketing: false,
  closed_at: null,
  customer_locale: null,
  device_id: null,
  discount_codes: [],
  gateway: null,
  landing_site: null,
  location_id: null,
  note: null,
  note_attributes: [],
  referring_site: null,
  shipping_address: null,
  shipping_lines: [],
  source: null,
  source_identifier: null,
  source_name: "web",
  source_url: null,
  tax_lines: [],
  taxes_included: false,
  total_weight: 0,
  user_id: null
}

/** Fields that deleted checkouts have, too. */
const remainingFields = (shop: Shop, { lines, token, total }: ShopCheckout) => {
  const text = (amount: number) => amountText(amount, shop.currency)
  const [goods, discount] = [
    lines.reduce((sum, { quantity, unit }) => sum + unit * quantity, 0),
    lines.reduce((sum, line) => sum + line.discount, 0)
  ]
  return {
    cart_token: `c-${token}`,
    presentment_currency: shop.currency,
    buyer_accepts_sms_marketing: false,
    sms_marketing_phone: null,
    reservation_token: null,
    total_price: text(total),
    total_line_items_price: text(goods),
    subtotal_price: text(goods - discount),
    total_discounts: text(discount),
    total_tax: text(total - goods + discount),
    total_duties: null
  }
}

/** Payload of a checkout. It has no id. */
export const checkoutPayload = (shop: Shop, checkout: ShopCheckout) => ({
  ...unusedFields,
  ...remainingFields(shop, checkout),
  token: checkout.token,
  name: `#${checkout.id}`,
  email: checkout.email ?? "",
  phone: checkout.phone,
  customer: buyerIn(shop, checkout),
  currency: shop.currency,
  abandoned_checkout_url: recoveryUrlOf(shop, checkout),
  created_at: timeText(checkout.createdAt),
  updated_at: timeText(checkout.updatedAt),
  completed_at: timeOrNull(checkout.completedAt),
  line_items: checkout.lines.map((line) => checkoutLinePayload(shop, line))
})

/** Payload of a deleted checkout. It has an id and no token. */
export const deletedCheckoutPayload = (shop: Shop, checkout: ShopCheckout) => ({
  ...remainingFields(shop, checkout),
  id: checkout.id
})
