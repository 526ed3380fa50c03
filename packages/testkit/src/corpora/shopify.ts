import { Schema } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

/** Facts of Shopify, one JSON file each. The README.md in the folder explains the fields. */
const root = join(dirname(createRequire(import.meta.url).resolve("@parley/testkit/package.json")), "corpora/shopify/")

const origin = {
  source: Schema.NonEmptyString,
  date: Schema.String.check(Schema.isPattern(/^20\d\d-\d\d-\d\d$/u)),
  evidence: Schema.Literals(["official", "second-hand", "unread"]),
  note: Schema.optionalKey(Schema.NonEmptyString)
}

const JsonObject = Schema.Record(Schema.String, Schema.Json)

const ShopifyWebhook = Schema.Struct({
  ...origin,
  apiVersion: Schema.String.check(Schema.isPattern(/^20\d\d-(?:01|04|07|10)$/u)),
  topic: Schema.String.check(Schema.isPattern(/^[a-z_]+\/[a-z_]+$/u)),
  subscription: Schema.NullOr(Schema.String.check(Schema.isPattern(/^[A-Z_]+$/u))),
  body: JsonObject
})

const ShopifyHeaders = Schema.Struct({
  ...origin,
  headers: Schema.Record(Schema.String.check(Schema.isPattern(/^X-Shopify-/u)), Schema.NonEmptyString),
  optional: Schema.Array(Schema.String)
})

const ShopifyExchange = Schema.Struct({
  ...origin,
  request: Schema.optionalKey(
    Schema.Struct({
      method: Schema.Literals(["GET", "POST"]),
      path: Schema.String.check(Schema.isPattern(/^\//u)),
      query: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
      body: Schema.optionalKey(JsonObject)
    })
  ),
  answer: Schema.optionalKey(Schema.Struct({ status: Schema.Int, body: JsonObject }))
})

const ShopifyLimits = Schema.Struct({
  ...origin,
  limits: Schema.Struct({
    /** Restored points per second, by plan. */
    costPerSecondByPlan: Schema.Array(Schema.Int),
    costOfOneCall: Schema.Int,
    pagedObjects: Schema.Int,
    bulkQueriesPerShop: Schema.Int,
    bulkConnections: Schema.Int,
    bulkDepth: Schema.Int,
    bulkResultDays: Schema.Int,
    deliveryRetries: Schema.Int,
    deliveryHours: Schema.Int,
    recentOrderDays: Schema.Int,
    shopRedactHours: Schema.Int,
    accessTokenMinutes: Schema.Int,
    refreshTokenDays: Schema.Int,
    refreshRetryDays: Schema.Int
  })
})

const strict = { onExcessProperty: "error" } as const

const read = <S extends Schema.Codec<unknown, unknown>>(schema: S, file: string): S["Type"] =>
  Schema.decodeUnknownSync(schema, strict)(JSON.parse(readFileSync(`${root}${file}`, "utf8")))

/** Reads the facts of a folder, in the order of their names. Fails if a file has other fields. */
const factsIn = <S extends Schema.Codec<object, unknown>>(schema: S, folder: string) =>
  readdirSync(`${root}${folder}`)
    .filter((file) => file.endsWith(".json"))
    .toSorted()
    .map((file) => ({ ...read(schema, `${folder}/${file}`), name: file.slice(0, -".json".length) }))

export type ShopifyWebhookFact = typeof ShopifyWebhook.Type & { readonly name: string }
export type ShopifyExchangeFact = typeof ShopifyExchange.Type & { readonly name: string }

/** Deliveries, one for each topic. */
export const shopifyWebhookFacts = (): ReadonlyArray<ShopifyWebhookFact> => factsIn(ShopifyWebhook, "webhooks")

/** Headers of deliveries. */
export const shopifyHeaderFacts = () => factsIn(ShopifyHeaders, "headers")

/** Authorization: requests, and the answers of the token endpoint. */
export const shopifyOauthFacts = (): ReadonlyArray<ShopifyExchangeFact> => factsIn(ShopifyExchange, "oauth")

/** Answers of the query language outside of its schema. */
export const shopifyAnswerFacts = (): ReadonlyArray<ShopifyExchangeFact> => factsIn(ShopifyExchange, "answers")

/** Limits of the provider. */
export const shopifyLimits = () => read(ShopifyLimits, "limits.json").limits
