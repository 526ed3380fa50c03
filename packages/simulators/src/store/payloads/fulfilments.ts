import type { ShopFulfilment, ShopOrder } from "../Records.ts"
import type { Shop } from "../World.ts"
import { parcelLinePayload } from "./lines.ts"
import { gid, lower, timeText } from "./values.ts"

const listOf = <A>(value: A | null): ReadonlyArray<A> => (value === null ? [] : [value])

/** Payload of a parcel. */
export const fulfilmentPayload = (shop: Shop, order: ShopOrder, fulfilment: ShopFulfilment) => ({
  id: fulfilment.id,
  admin_graphql_api_id: gid("Fulfillment", fulfilment.id),
  order_id: order.id,
  name: `${order.name}.1`,
  email: order.email ?? "",
  status: "success",
  shipment_status: lower(fulfilment.status),
  tracking_company: fulfilment.company,
  tracking_number: fulfilment.number,
  tracking_numbers: listOf(fulfilment.number),
  tracking_url: fulfilment.url,
  tracking_urls: listOf(fulfilment.url),
  destination: null,
  location_id: null,
  origin_address: null,
  receipt: {},
  service: null,
  line_items: order.lines.map((line) => parcelLinePayload(shop, line)),
  created_at: timeText(fulfilment.createdAt),
  updated_at: timeText(fulfilment.updatedAt)
})

/** Payload of a change in the delivery of a parcel. */
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
    address1: null,
    city: null,
    zip: null,
    province: null,
    country: shop.country,
    latitude: null,
    longitude: null,
    estimated_delivery_at: null,
    happened_at: timeText(fulfilment.updatedAt),
    created_at: timeText(fulfilment.updatedAt),
    updated_at: timeText(fulfilment.updatedAt)
  }
}
