import { layerStorePlatforms, type ShopAccess, type StorePlatform, StoreRefused } from "@parley/domain/commerce"
import { Effect, Layer } from "effect"
import { at, listAt, textAt } from "../../json.ts"
import * as shopCalls from "./ShopCalls.ts"
import type { ShopCalls } from "./ShopCalls.ts"
import { orTooCostly } from "./collections.ts"
import { uninstallDocument } from "./assumptions.ts"
import { decodeDelivery, deliveryHeaders } from "./decode.ts"
import { subscribeDocument, subscriptionsDocument } from "./documents.ts"
import { makeOauth } from "./oauth.ts"
import { makeReading } from "./reading.ts"
import { deliveryIsSigned, type ShopifyOptions } from "./settings.ts"
import { topics } from "./topics.ts"

type Calls = ShopCalls["Service"]

/** Existing webhook subscriptions of the shop, as topic and address. */
const describeShop = Effect.fnUntraced(function* (calls: Calls, access: ShopAccess) {
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
 * Subscribes to missing topics of the shop. Forbidden topics are skipped, because syncs find their changes. If all topics are forbidden, the call
 * fails.
 */
const subscribe =
  (calls: Calls) =>
  (access: ShopAccess, address: string): Effect.Effect<void, Effect.Error<ReturnType<typeof describeShop>>> =>
    Effect.gen(function* () {
      const known = yield* describeShop(calls, access)
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
        // Another process has created the same subscription in the meantime.
        if (message === null || /already been taken/u.test(message)) continue
        refused.push(new StoreRefused({ remedy: "give_up", code: "INVALID", reason: message, retryAfterMillis: null }))
      }
      const [first] = refused
      if (first !== undefined && refused.length === topics.length) return yield* first
    })

const platform = Effect.gen(function* () {
  const calls = yield* shopCalls.ShopCalls
  return {
    ...makeOauth(calls),
    ...makeReading(calls),
    uninstall: (access) =>
      Effect.flatMap(
        orTooCostly(calls.query(access, { name: "uninstall", document: uninstallDocument, variables: {} })),
        ({ data }) => {
          const [error] = listAt(data, "appUninstall", "userErrors")
          const reason = textAt(error, "message")
          return reason === null
            ? Effect.void
            : Effect.fail(new StoreRefused({ remedy: "give_up", code: "INVALID", reason, retryAfterMillis: null }))
        }
      ),
    subscribe: subscribe(calls),
    isSigned: deliveryIsSigned(calls.settings),
    deliveryHeaders,
    decode: decodeDelivery
  } satisfies StorePlatform
})

/** Stores on Shopify, through the operator's app, as long as its scope is open. */
export const make = (options: ShopifyOptions) =>
  Effect.flatMap(Layer.build(shopCalls.layer(options)), (calls) => Effect.provideContext(platform, calls))

/** Shopify as the only platform. */
export const layer = (options: ShopifyOptions) => layerStorePlatforms({ shopify: make(options) })
