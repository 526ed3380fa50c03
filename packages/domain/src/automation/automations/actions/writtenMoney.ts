import { Schema } from "effect"
import { wordingOf } from "../../../campaigns/index.ts"
import { Money } from "../../../kernel/index.ts"
import { exponentOf } from "../../../commerce/index.ts"

const isMoney = Schema.is(Money)

/** An amount as people write it in a language, or as programs do (`null`); `null` where it is none. */
export const writtenMoney = (value: unknown, language: string | null): string | null => {
  if (!isMoney(value)) return null
  const { amountMinor, currency } = value
  const digits = exponentOf(currency)
  const amount = amountMinor / 10 ** digits
  if (language === null) return amount.toFixed(digits)
  const shown = { style: "currency", currency, minimumFractionDigits: digits, maximumFractionDigits: digits } as const
  return new Intl.NumberFormat(wordingOf(language).language, shown).format(amount)
}
