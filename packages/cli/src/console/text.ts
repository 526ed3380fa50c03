import type { Money } from "@parley/domain/kernel"
import { DateTime } from "effect"
import { CliOutput } from "effect/cli"

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" })

/** Removes characters that control the terminal, because the text is untrusted. */
export const harmless = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, (found) => (found === "\u200D" ? found : " "))

/** Cuts or fills a text to exactly this width, with a mark where it was cut. */
export const fitted = (text: string, width: number): string => {
  const clean = harmless(text)
  const whole = CliOutput.displayWidth(clean)
  if (whole <= width) return clean + " ".repeat(width - whole)
  let kept = ""
  let taken = 0
  for (const { segment } of graphemes.segment(clean)) {
    const next = CliOutput.displayWidth(segment)
    if (taken + next > width - 1) break
    kept += segment
    taken += next
  }
  return `${kept}…${" ".repeat(Math.max(0, width - taken - 1))}`
}

const brokenWord = (word: string, width: number): ReadonlyArray<string> => {
  const pieces: Array<string> = []
  let piece = ""
  for (const { segment } of graphemes.segment(word)) {
    if (piece !== "" && CliOutput.displayWidth(piece + segment) > width) {
      pieces.push(piece)
      piece = ""
    }
    piece += segment
  }
  return piece === "" ? pieces : [...pieces, piece]
}

/** Wraps a text to lines of this maximum width, between words if possible. */
export const wrapped = (text: string, width: number): ReadonlyArray<string> =>
  text.split(/\r?\n/u).flatMap((paragraph) => {
    const lines: Array<string> = []
    let line = ""
    for (const word of harmless(paragraph).split(" ")) {
      const joined = line === "" ? word : `${line} ${word}`
      if (CliOutput.displayWidth(joined) <= width) {
        line = joined
        continue
      }
      if (line !== "") lines.push(line)
      const pieces = brokenWord(word, width)
      lines.push(...pieces.slice(0, -1))
      line = pieces.at(-1) ?? ""
    }
    return [...lines, line]
  })

const units = [
  ["d", 86_400],
  ["h", 3_600],
  ["min", 60]
] as const

/** Formats the age of a time in the largest unit that fits: `3 min`. */
export const ageOf = (since: DateTime.Utc, now: DateTime.Utc): string => {
  const seconds = Math.max(0, Math.floor((DateTime.toEpochMillis(now) - DateTime.toEpochMillis(since)) / 1_000))
  const [unit, size] = units.find(([, size]) => seconds >= size) ?? ["s", 1]
  return `${Math.floor(seconds / size)} ${unit}`
}

type Amount = Pick<Money, "amountMinor" | "currency">

const currencyDigits = (currency: string): number =>
  new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2

/** Formats an amount in the units of its currency, without the currency: `12.50`. */
export const unitsText = ({ amountMinor, currency }: Amount): string => {
  const maximumFractionDigits = currencyDigits(currency)
  return (amountMinor / 10 ** maximumFractionDigits).toFixed(maximumFractionDigits)
}

/** Formats an amount in the units of its currency: `12.50 EUR`. */
export const amountText = (amount: Amount): string => `${unitsText(amount)} ${amount.currency}`

const fineDigits = 4

/** Formats an amount in 1/10,000 of the smallest unit exactly, without rounding: `0.0733 EUR`. */
export const fineAmountText = ({
  amount,
  currency
}: {
  readonly amount: number
  readonly currency: string
}): string => {
  const digits = currencyDigits(currency)
  const all = String(amount).padStart(digits + fineDigits + 1, "0")
  const decimals = all
    .slice(-digits - fineDigits)
    .replace(/0{1,4}$/u, "")
    .padEnd(digits, "0")
  return `${all.slice(0, -digits - fineDigits)}${decimals === "" ? "" : `.${decimals}`} ${currency}`
}
