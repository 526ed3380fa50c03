import type { Currency, Money } from "../../kernel/index.ts"

/** What ISO 4217 calls no currency: for a shop of which none is known yet. */
const noCurrency: Currency = "XXX"

/** Nothing, in the currency of a shop. */
export const noMoney = ({ currency }: { readonly currency: Currency | null }): Money => ({
  amountMinor: 0,
  currency: currency ?? noCurrency
})
