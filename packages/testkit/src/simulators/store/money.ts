const decimals: Readonly<Record<string, number>> = { JPY: 0, KRW: 0, CLP: 0, ISK: 0, KWD: 3, BHD: 3, TND: 3 }

/** How many decimals the provider writes of a currency. */
export const decimalsOf = (currency: string): number => decimals[currency] ?? 2

/** An amount as the provider writes it: with a decimal at least, also where the currency has none. */
export const amountText = (minor: number, currency: string): string => {
  const places = decimalsOf(currency)
  const digits = String(Math.abs(minor)).padStart(places + 1, "0")
  const cut = digits.length - places
  return `${minor < 0 ? "-" : ""}${digits.slice(0, cut)}.${places === 0 ? "0" : digits.slice(cut)}`
}
