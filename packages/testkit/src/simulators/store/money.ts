/** Currencies of ISO 4217 whose minor unit is not a hundredth. The list is independent of that of the domain, which tests compare with it. */
const decimals: Readonly<Record<number, string>> = {
  0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
  3: "BHD IQD JOD KWD LYD OMR TND",
  4: "CLF UYW"
}

const places: ReadonlyMap<string, number> = new Map(
  Object.entries(decimals).flatMap(([count, codes]) => codes.split(" ").map((code) => [code, Number(count)] as const))
)

/** The number of decimals that the provider writes for a currency. */
export const decimalsOf = (currency: string): number => places.get(currency) ?? 2

/**
 * An amount as the provider writes it: with at least one decimal, also for a currency without decimals. A fraction of a minor unit is a fault of the
 * simulator: no shop has it.
 */
export const amountText = (minor: number, currency: string): string => {
  if (!Number.isSafeInteger(minor)) throw new RangeError(`${minor} is no amount in minor units of ${currency}.`)
  const count = decimalsOf(currency)
  const digits = String(Math.abs(minor)).padStart(count + 1, "0")
  const cut = digits.length - count
  return `${minor < 0 ? "-" : ""}${digits.slice(0, cut)}.${count === 0 ? "0" : digits.slice(cut)}`
}
