import { Schema } from "effect"

/** An ISO 4217 currency code. */
export const Currency = Schema.String.check(
  Schema.isPattern(/^[A-Z]{3}$/u, { message: "Expected an ISO 4217 currency code such as EUR" })
)
export type Currency = typeof Currency.Type

/** An amount in the currency's smallest unit. */
export const Money = Schema.Struct({ amountMinor: Schema.Int, currency: Currency }).annotate({ identifier: "Money" })
export type Money = typeof Money.Type
