import { Schema } from "effect"
import { Money, Timestamp } from "../../kernel/index.ts"

/** One way in which a product is sold. */
export const ProductVariant = Schema.Struct({
  externalId: Schema.String,
  title: Schema.String,
  sku: Schema.NullOr(Schema.String),
  price: Money,
  available: Schema.Boolean
}).annotate({ identifier: "ProductVariant" })
export type ProductVariant = typeof ProductVariant.Type

/** A product as a shop knows it. */
export const ProductRecord = Schema.Struct({
  externalId: Schema.String,
  title: Schema.String,
  status: Schema.Literals(["active", "draft", "archived"]),
  url: Schema.NullOr(Schema.String),
  imageUrl: Schema.NullOr(Schema.String),
  variants: Schema.Array(ProductVariant),
  updatedAt: Timestamp
})
export type ProductRecord = typeof ProductRecord.Type
