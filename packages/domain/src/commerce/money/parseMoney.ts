import type { Currency, Money } from "../../kernel/index.ts"
import { exponentOf } from "./exponentOf.ts"

const decimal = /^(-?)(\d{1,30})(?:\.(\d{1,30}))?$/u

/**
 * Reads an amount as shops write it, such as `19.99`, in the smallest unit of its currency; half a unit is rounded away from zero.
 * `null` if it is none, or larger than can be counted exactly.
 */
export const parseMoney = (text: string, currency: Currency): Money | null => {
  const [, sign, whole, fraction = ""] = decimal.exec(text.trim()) ?? []
  if (whole === undefined) return null
  const exponent = exponentOf(currency)
  const decimals = fraction.padEnd(exponent + 1, "0")
  const kept = BigInt(whole + decimals.slice(0, exponent))
  const rounded = decimals.charAt(exponent) >= "5" ? kept + 1n : kept
  const amountMinor = Number(sign === "-" ? -rounded : rounded)
  return Number.isSafeInteger(amountMinor) ? { amountMinor, currency } : null
}

/** No money. */
export const noMoney = (currency: Currency): Money => ({ amountMinor: 0, currency })
