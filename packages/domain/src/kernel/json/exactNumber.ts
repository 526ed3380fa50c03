const parts = /^-?(?<whole>\d+)(?:\.(?<fraction>\d+))?(?:[eE](?<exponent>[+-]?\d+))?$/u

interface Decimal {
  /** The digits without zeros at either end; empty for zero. */
  readonly digits: string
  /** The power of ten of the last digit. */
  readonly power: number
}

const decimalOf = (literal: string): Decimal | null => {
  const { exponent = "0", fraction = "", whole } = parts.exec(literal)?.groups ?? {}
  if (whole === undefined) return null
  const digits = (whole + fraction).replace(/^0+/u, "")
  // Not by an expression: many zeros that something follows would be looked through again for each of them.
  let end = digits.length
  while (digits[end - 1] === "0") end -= 1
  return { digits: digits.slice(0, end), power: Number(exponent) - fraction.length + digits.length - end }
}

/**
 * Whether a number that is written so is still the same once it is read: a whole number is, digit by digit, and no number has
 * become infinite, or zero. A fraction is rounded in its seventeenth digit, as everywhere.
 */
export const isExactNumber = (literal: string): boolean => {
  const value = Number(literal)
  const written = decimalOf(literal)
  if (written === null || !Number.isFinite(value)) return false
  if (written.digits === "") return true
  if (value === 0) return false
  if (written.power < 0) return true
  const read = decimalOf(String(Math.abs(value)))
  return read?.digits === written.digits && read.power === written.power
}
