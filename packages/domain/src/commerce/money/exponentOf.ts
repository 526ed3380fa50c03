import type { Currency } from "../../kernel/index.ts"

/** The currencies of ISO 4217 whose smallest unit is not a hundredth, by how many decimals they have. */
const others: Readonly<Record<number, string>> = {
  0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
  3: "BHD IQD JOD KWD LYD OMR TND",
  4: "CLF UYW"
}

const usual = 2

const exponents: ReadonlyMap<string, number> = new Map(
  Object.entries(others).flatMap(([exponent, codes]) =>
    codes.split(" ").map((code) => [code, Number(exponent)] as const)
  )
)

/** How many decimals an amount of this currency has. */
export const exponentOf = (currency: Currency): number => exponents.get(currency) ?? usual
