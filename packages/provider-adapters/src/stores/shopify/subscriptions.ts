import { type ShopAccess, StoreRefused } from "@parley/domain"
import { Effect } from "effect"
import { at, listAt, textAt } from "../../json.ts"
import { orTooCostly } from "./collections.ts"
import { subscribeDocument, subscriptionsDocument } from "./documents.ts"
import type { ShopCalls } from "./ShopCalls.ts"

type Calls = ShopCalls["Service"]

/** What shops are asked to tell. */
export const topics: ReadonlyArray<string> = [
  "APP_SCOPES_UPDATE",
  "APP_UNINSTALLED",
  "CHECKOUTS_CREATE",
  "CHECKOUTS_DELETE",
  "CHECKOUTS_UPDATE",
  "CUSTOMERS_CREATE",
  "CUSTOMERS_DELETE",
  "CUSTOMERS_MARKETING_CONSENT_UPDATE",
  "CUSTOMERS_MERGE",
  "CUSTOMERS_UPDATE",
  "FULFILLMENTS_CREATE",
  "FULFILLMENTS_UPDATE",
  "ORDERS_CANCELLED",
  "ORDERS_CREATE",
  "ORDERS_DELETE",
  "ORDERS_EDITED",
  "ORDERS_FULFILLED",
  "ORDERS_PAID",
  "ORDERS_UPDATED",
  "PRODUCTS_CREATE",
  "PRODUCTS_DELETE",
  "PRODUCTS_UPDATE",
  "REFUNDS_CREATE",
  "SHOP_UPDATE"
]

/** What the shop tells already, as topic and address. */
const told = Effect.fnUntraced(function* (calls: Calls, access: ShopAccess) {
  const found = new Set<string>()
  let after: string | null = null
  for (;;) {
    const { data } = yield* orTooCostly(
      calls.query(access, { name: "subscriptions", document: subscriptionsDocument, variables: { after } })
    )
    for (const node of listAt(data, "webhookSubscriptions", "nodes")) {
      found.add(`${textAt(node, "topic")} ${textAt(node, "uri")}`)
    }
    const next = textAt(data, "webhookSubscriptions", "pageInfo", "endCursor")
    if (at(data, "webhookSubscriptions", "pageInfo", "hasNextPage") !== true || next === null || next === after) {
      return found
    }
    after = next
  }
})

/**
 * Has the shop tell what it does not tell yet. A topic that the app may not have is left out: what it would tell is found by reading.
 * If it may have none, that is the failure.
 */
export const subscribe =
  (calls: Calls) =>
  (access: ShopAccess, address: string): Effect.Effect<void, Effect.Error<ReturnType<typeof told>>> =>
    Effect.gen(function* () {
      const known = yield* told(calls, access)
      const refused: Array<StoreRefused> = []
      for (const topic of topics) {
        const uri = `${address}/${topic.toLowerCase()}`
        if (known.has(`${topic} ${uri}`)) continue
        const { data } = yield* orTooCostly(
          calls.query(access, { name: "subscribe", document: subscribeDocument, variables: { topic, uri } })
        ).pipe(
          Effect.catchTag("StoreRefused", (error) => {
            if (error.remedy !== "missing_scope") return Effect.fail(error)
            refused.push(error)
            return Effect.succeed({ data: null, denied: [] })
          })
        )
        const message = textAt(listAt(data, "webhookSubscriptionCreate", "userErrors")[0], "message")
        // Another process has asked for the same in the meantime.
        if (message === null || /already been taken/u.test(message)) continue
        refused.push(new StoreRefused({ remedy: "give_up", code: "INVALID", reason: message, retryAfterMillis: null }))
      }
      const [first] = refused
      if (first !== undefined && refused.length === topics.length) return yield* first
    })
