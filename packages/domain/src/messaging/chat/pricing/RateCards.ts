import { Context, type Effect, Schema } from "effect"
import { Currency, LocalDate, type Slice } from "../../../kernel/index.ts"

/** Categories with a price. The provider decides the category of each message. */
export const RateCategory = Schema.Literals([
  "marketing",
  "marketing_lite",
  "utility",
  "authentication",
  "authentication_international",
  "service",
  "referral_conversion"
])
export type RateCategory = typeof RateCategory.Type

/** Amount in 1/10,000 of the smallest unit of the currency: 73300 is 7.33 cents in EUR. */
export const FineAmount = Schema.Int.annotate({ identifier: "FineAmount" })

/** Price of one delivered message. */
export const MessageRate = Schema.Struct({
  country: Schema.NullOr(Schema.String).annotateKey({
    description: "ISO 3166 code of the recipient's country; null for all countries without an own rate."
  }),
  category: RateCategory,
  currency: Currency,
  amount: FineAmount.annotateKey({ description: "Price of one message in 1/10,000 of the smallest unit." }),
  validFrom: LocalDate.annotateKey({ description: "First day of the price, in UTC." })
}).annotate({ identifier: "MessageRate" })
export type MessageRate = typeof MessageRate.Type

/** All rates of a currency that start on the same day. */
export class RateCard extends Schema.Class<RateCard>("RateCard")({
  currency: Currency,
  validFrom: LocalDate.annotateKey({ description: "First day of the prices, in UTC." }),
  rates: Schema.Array(MessageRate)
}) {}

/** Position of a rate in the list. Rates with the same key replace each other. */
export const rateKey = ({ category, country, currency, validFrom }: MessageRate): ReadonlyArray<string> => [
  currency,
  category,
  country ?? "",
  validFrom
]

/** Prices of chat providers, which operators import. Not tenant-scoped. */
export class RateCards extends Context.Service<
  RateCards,
  {
    /** Stores rates. A rate replaces the stored rate with the same key. */
    readonly put: (rates: ReadonlyArray<MessageRate>) => Effect.Effect<void>
    /** Sorted by `rateKey`, which is the key of a row. */
    readonly list: (slice: Slice) => Effect.Effect<ReadonlyArray<MessageRate>>
    /** Rates of a currency for all days, in no order. */
    readonly find: (currency: Currency) => Effect.Effect<ReadonlyArray<MessageRate>>
    /** Removes the rates of a currency that start on this day. Returns their number. */
    readonly remove: (currency: Currency, validFrom: LocalDate) => Effect.Effect<number>
  }
>()("@parley/domain/messaging/chat/RateCards") {}
