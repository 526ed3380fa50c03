import { Schema } from "effect"
import { Money } from "../../kernel/index.ts"

/** So many of one thing, in an order or in a cart. */
export const LineRecord = Schema.Struct({
  externalProductId: Schema.NullOr(Schema.String),
  externalVariantId: Schema.NullOr(Schema.String),
  sku: Schema.NullOr(Schema.String),
  title: Schema.String,
  variantTitle: Schema.NullOr(Schema.String),
  quantity: Schema.Int,
  /** What is left of it after edits and returns. */
  currentQuantity: Schema.Int,
  unitPrice: Money,
  discount: Money
})
export type LineRecord = typeof LineRecord.Type
