/** ISO 4217 currencies with a minor unit other than a hundredth. The list is independent of the domain's list, because tests compare them. */
const decimals: Readonly<Record<number, string>> = {
  0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
  3: "BHD IQD JOD KWD LYD OMR TND",
  4: "CLF UYW"
}

const places: ReadonlyMap<string, number> = new Map(
  Object.entries(decimals).flatMap(([count, codes]) => codes.split(" ").map((code) => [code, Number(count)] as const))
)

/** Number of decimals that the provider writes for a currency. */
export const decimalsOf = (currency: string): number => places.get(currency) ?? 2

/**
 * An amount in the provider's format: with at least one decimal, also for a currency without decimals. A fraction of a minor unit is an error of the
 * simulator, because shops have none.
 */
export const amountText = (minor: number, currency: string): string => {
  if (!Number.isSafeInteger(minor)) throw new RangeError(`${minor} is no amount in minor units of ${currency}.`)
  const count = decimalsOf(currency)
  const digits = String(Math.abs(minor)).padStart(count + 1, "0")
  const cut = digits.length - count
  return `${minor < 0 ? "-" : ""}${digits.slice(0, cut)}.${count === 0 ? "0" : digits.slice(cut)}`
}
