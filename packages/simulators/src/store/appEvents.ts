import { Effect } from "effect"
import type { Timeline } from "../Timeline.ts"
import type { Outbox } from "./Outbox.ts"
import { shopPayload, timeText } from "./payloads/index.ts"
import { type BulkOperation, NotThere, type Shop, type World } from "./World.ts"

/** Days between an uninstall and the request to erase the shop. */
const redactDays = 2

/** Events of the app in a shop: its installation, its exports and requests about personal data. */
export const makeAppEvents = (world: World, timeline: Timeline, outbox: Outbox) => {
  const secondOf = (time: number) => Math.floor(time / 1_000) * 1_000

  const redactShop = (shop: Shop) => {
    outbox.tellCompliance(shop, "shop/redact", { shop_id: shop.id, shop_domain: shop.domain })
    return shop.id
  }

  /** Requests the erasure of the shop, unless the app is installed again before. */
  const redactLater = (shop: Shop) =>
    timeline.daysAfter(
      redactDays,
      Effect.sync(() => {
        if (shop.installation !== null) return
        outbox.beginEvent()
        redactShop(shop)
      })
    )

  return {
    redactShop,
    /** Revokes the token, sends the last webhook of the subscriptions and requests the erasure of the shop later. */
    uninstall: (shop: Shop) => {
      shop.installation = null
      outbox.tell(shop, "APP_UNINSTALLED", shopPayload(shop))
      shop.subscriptions.length = 0
      if (world.complianceUrl !== null) redactLater(shop)
      return shop.id
    },
    changeScopes: (shop: Shop, scopes: ReadonlyArray<string>) => {
      const { installation } = shop
      if (installation === null) throw new NotThere("The app is not installed.")
      outbox.tell(shop, "APP_SCOPES_UPDATE", {
        id: 1,
        shop_id: `gid://shopify/Shop/${shop.id}`,
        previous: installation.scopes,
        current: scopes,
        updated_at: timeText(secondOf(timeline.now()))
      })
      installation.scopes = scopes
      return shop.id
    },
    /** Requests the data of a customer, or their erasure. */
    aboutCustomer: (shop: Shop, topic: "customers/data_request" | "customers/redact", customerId: number) => {
      const { email = null, phone = null } = shop.shelves.customers.get(customerId) ?? {}
      const orders = [...shop.shelves.orders.all()]
        .filter((order) => order.customerId === customerId)
        .map(({ id }) => id)
      outbox.tellCompliance(shop, topic, {
        shop_id: shop.id,
        shop_domain: shop.domain,
        customer: { id: customerId, email, phone },
        ...(topic === "customers/redact"
          ? { orders_to_redact: orders }
          : { orders_requested: orders, data_request: { id: world.next() } })
      })
      return customerId
    },
    /** Reports the end of an export. */
    finishExport: (shop: Shop, { createdAt, doneAt, failure, id }: BulkOperation) => {
      outbox.beginEvent()
      outbox.tell(shop, "BULK_OPERATIONS_FINISH", {
        admin_graphql_api_id: `gid://shopify/BulkOperation/${id}`,
        completed_at: failure === null ? timeText(doneAt) : null,
        created_at: timeText(createdAt),
        error_code: failure === null ? null : failure.toLowerCase(),
        status: failure === null ? "completed" : "failed",
        type: "query"
      })
    }
  }
}
