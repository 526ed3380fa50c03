import { Schema } from "effect"
import { ConsentState } from "../../crm/index.ts"
import { Timestamp } from "../../kernel/index.ts"

/** What a customer has told the shop about messages, and when; `null` where the shop does not say. */
export const ShopConsent = Schema.Struct({ state: ConsentState, at: Schema.NullOr(Timestamp) })
export type ShopConsent = typeof ShopConsent.Type

/** A customer as a shop knows it. */
export const CustomerRecord = Schema.Struct({
  externalId: Schema.String,
  name: Schema.NullOr(Schema.String),
  /** As the shop writes them: the customer's own first, then that of the default address. */
  phones: Schema.Array(Schema.String),
  email: Schema.NullOr(Schema.String),
  locale: Schema.NullOr(Schema.String),
  tags: Schema.Array(Schema.String),
  smsConsent: ShopConsent,
  emailConsent: ShopConsent,
  updatedAt: Timestamp
})
export type CustomerRecord = typeof CustomerRecord.Type
