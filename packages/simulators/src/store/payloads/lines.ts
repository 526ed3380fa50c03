import { amountText } from "../money.ts"
import type { ShopLine } from "../Records.ts"
import type { Shop } from "../World.ts"
import { gid, moneySet } from "./values.ts"

const linePayload = (shop: Shop, line: ShopLine) => ({
  product_id: line.productId,
  variant_id: line.variantId,
  sku: line.sku,
  title: line.title,
  variant_title: line.variantTitle,
  vendor: null,
  quantity: line.quantity,
  price: amountText(line.unit, shop.currency),
  grams: 0,
  fulfillment_service: "manual",
  requires_shipping: true,
  taxable: true,
  gift_card: false,
  discount_allocations: []
})

const soldLinePayload = (shop: Shop, line: ShopLine) => ({
  ...linePayload(shop, line),
  id: line.id,
  admin_graphql_api_id: gid("LineItem", line.id),
  name: line.title,
  fulfillable_quantity: line.currentQuantity,
  fulfillment_status: null,
  product_exists: true,
  properties: [],
  total_discount: amountText(line.discount, shop.currency),
  variant_inventory_management: null,
  duties: []
})

/** A line of an order. */
export const orderLinePayload = (shop: Shop, line: ShopLine) => ({
  ...soldLinePayload(shop, line),
  attributed_staffs: [],
  current_quantity: line.currentQuantity,
  price_set: moneySet(shop, line.unit),
  sales_line_item_group_id: null
})

/** A line of a parcel. */
export const parcelLinePayload = soldLinePayload

/** A line of a checkout. It has no own id. */
export const checkoutLinePayload = (shop: Shop, line: ShopLine) => ({
  ...linePayload(shop, line),
  key: String(line.id),
  applied_discounts: line.discount === 0 ? [] : [{ amount: amountText(line.discount, shop.currency) }],
  compare_at_price: null,
  destination_location_id: null,
  line_price: amountText(line.unit * line.quantity, shop.currency),
  origin_location_id: null,
  presentment_title: line.title,
  presentment_variant_title: line.variantTitle,
  properties: null,
  rank: null,
  user_id: null,
  variant_price: amountText(line.unit, shop.currency)
})
