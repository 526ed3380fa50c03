import type { FigureUnit } from "@parley/domain/analytics"

/** Unit of the values of a panel. Money has a currency. */
export interface Measure {
  readonly unit: FigureUnit
  readonly currency?: string
}

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 })

const amount = (value: number, currency: string): string => {
  const format = new Intl.NumberFormat("en", { style: "currency", currency, notation: "compact" })
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions()
  return format.format(value / 10 ** maximumFractionDigits)
}

const duration = (seconds: number): string => {
  if (seconds < 60) return `${Math.round(seconds)} s`
  if (seconds < 3_600) return `${Math.round(seconds / 60)} min`
  return seconds < 172_800 ? `${compact.format(seconds / 3_600)} h` : `${compact.format(seconds / 86_400)} d`
}

/** Formats a value for people. */
export const shown = (value: number, { currency, unit }: Measure): string => {
  switch (unit) {
    case "count":
      return compact.format(value)
    case "rate":
      return `${compact.format(value * 100)}%`
    case "seconds":
      return duration(value)
    case "money":
      return currency === undefined ? compact.format(value) : amount(value, currency)
  }
}

/** Whether the values of a measure can be added. */
export const isAdditive = ({ unit }: Measure): boolean => unit === "count" || unit === "money"

export const known = (values: ReadonlyArray<number | null>): ReadonlyArray<number> =>
  values.filter((value) => value !== null)

/** Describes total, minimum and maximum. A dash marks missing values. */
export const summed = (values: ReadonlyArray<number | null>, measure: Measure): string => {
  const there = known(values)
  const format = (value: number) => (there.length === 0 ? "–" : shown(value, measure))
  const total = isAdditive(measure) ? format(there.reduce((sum, value) => sum + value, 0)) : "–"
  const [least, most] = [
    format(there.reduce((one, other) => Math.min(one, other), Infinity)),
    format(there.reduce((one, other) => Math.max(one, other), -Infinity))
  ]
  return `total ${total}, least ${least}, most ${most}`
}

/** Common steps of time, in seconds. */
const times = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 43_200, 86_400]

const stepFor = (span: number, { unit }: Measure): number => {
  const power = 10 ** Math.floor(Math.log10(span / 4))
  const plain = [1, 2, 5, 10].map((factor) => factor * power)
  return (unit === "seconds" ? [...times, ...plain] : plain).find((each) => span / each <= 4) ?? span
}

/** Returns even steps from the minimum, or 0, up to at least the maximum. */
export const stepsOf = (values: ReadonlyArray<number>, measure: Measure): ReadonlyArray<number> => {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)]
  const step = stepFor(high - low || 1, measure)
  const first = Math.floor(low / step)
  const count = Math.max(1, Math.ceil(high / step - 1e-9)) - first + 1
  return Array.from({ length: count }, (_, index) => (first + index) * step)
}
