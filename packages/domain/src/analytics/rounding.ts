/** Divides whole numbers; half is rounded away from zero. */
const divided = (dividend: bigint, divisor: bigint): number => {
  const isNegative = dividend < 0n !== divisor < 0n
  const [over, under] = [dividend < 0n ? -dividend : dividend, divisor < 0n ? -divisor : divisor]
  const rounded = Number((2n * over + under) / (2n * under))
  return isNegative && rounded !== 0 ? -rounded : rounded
}

const rateScale = 10_000
const tenthsOfPercent = 1_000n
const tenths = 10

/** The share of so many of all of these, to four decimals; `null` of nothing. */
export const rateOf = (some: number, all: number): number | null =>
  all === 0 ? null : divided(BigInt(some) * BigInt(rateScale), BigInt(all)) / rateScale

/** A value that has at most four decimals, in whole numbers. */
const scaled = (value: number) => BigInt(Math.round(value * rateScale))

/** How much a value is above a former one, in per cents of that to one decimal; `null` if there was none, or 0. */
export const changeOf = (current: number | null, previous: number | null): number | null => {
  if (current === null || previous === null || previous === 0) return null
  const size = scaled(Math.abs(previous))
  return divided((scaled(current) - scaled(previous)) * tenthsOfPercent, size) / tenths
}
