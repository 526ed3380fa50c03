import { Schema } from "effect"
import { Timestamp } from "../../kernel/index.ts"

/** Order of a contact from the catalogue of the number. Prices are unit prices that the contact saw. */
export const MessageOrder = Schema.Struct({
  catalogId: Schema.NullOr(Schema.String),
  items: Schema.Array(
    Schema.Struct({
      productId: Schema.String,
      quantity: Schema.Int,
      price: Schema.NullOr(Schema.Struct({ amountMinor: Schema.Int, currency: Schema.String }))
    })
  )
}).annotate({ identifier: "MessageOrder" })
export type MessageOrder = typeof MessageOrder.Type

/** Advertisement or post that led the contact here. `clickId` is the provider's id of the click. */
export const Referral = Schema.Struct({
  sourceType: Schema.NullOr(Schema.String),
  sourceId: Schema.NullOr(Schema.String),
  sourceUrl: Schema.NullOr(Schema.String),
  headline: Schema.NullOr(Schema.String),
  body: Schema.NullOr(Schema.String),
  mediaType: Schema.NullOr(Schema.String),
  mediaUrl: Schema.NullOr(Schema.String),
  clickId: Schema.NullOr(Schema.String)
}).annotate({ identifier: "Referral" })
export type Referral = typeof Referral.Type

/** Price of a message in the provider's terms, with the time of the last report. */
export const MessagePricing = Schema.Struct({
  billable: Schema.Boolean,
  model: Schema.NullOr(Schema.String),
  category: Schema.NullOr(Schema.String),
  type: Schema.NullOr(Schema.String),
  at: Timestamp
}).annotate({ identifier: "MessagePricing" })
export type MessagePricing = typeof MessagePricing.Type
