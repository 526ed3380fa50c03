import { Schema } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

/** Deliveries of Shopify, one JSON file for each topic. The README.md in the folder explains the fields. */
const root = join(
  dirname(createRequire(import.meta.url).resolve("@parley/testkit/package.json")),
  "corpora/shopify/webhooks/"
)

const ShopifyWebhook = Schema.Struct({
  source: Schema.NonEmptyString,
  date: Schema.String.check(Schema.isPattern(/^20\d\d-\d\d-\d\d$/u)),
  evidence: Schema.Literals(["official", "second-hand", "unread"]),
  apiVersion: Schema.String.check(Schema.isPattern(/^20\d\d-(?:01|04|07|10)$/u)),
  topic: Schema.String.check(Schema.isPattern(/^[a-z_]+\/[a-z_]+$/u)),
  subscription: Schema.NullOr(Schema.String.check(Schema.isPattern(/^[A-Z_]+$/u))),
  note: Schema.optionalKey(Schema.NonEmptyString),
  body: Schema.Record(Schema.String, Schema.Json)
})

export type ShopifyWebhookFact = typeof ShopifyWebhook.Type & { readonly name: string }

const decode = Schema.decodeUnknownSync(ShopifyWebhook, { onExcessProperty: "error" })

/** Reads all deliveries, in the order of their names. Fails if a file does not have the fields of a delivery. */
export const shopifyWebhookFacts = (): ReadonlyArray<ShopifyWebhookFact> =>
  readdirSync(root)
    .filter((file) => file.endsWith(".json"))
    .toSorted()
    .map((file) => ({
      ...decode(JSON.parse(readFileSync(`${root}${file}`, "utf8"))),
      name: file.slice(0, -".json".length)
    }))
