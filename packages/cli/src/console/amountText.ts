import type { Money } from "@parley/domain"

/** An amount in the units of its currency: `12.50 EUR`. */
export const amountText = ({ amountMinor, currency }: Pick<Money, "amountMinor" | "currency">): string => {
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions()
  return `${(amountMinor / 10 ** maximumFractionDigits).toFixed(maximumFractionDigits)} ${currency}`
}
