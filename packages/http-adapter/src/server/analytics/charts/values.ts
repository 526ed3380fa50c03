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
  if (seconds < 3_600) return `${compact.format(seconds / 60)} min`
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

/** Steps of durations, in seconds: up to 30 minutes, then hours. Longer steps are days. */
const durationSteps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200]

const day = 86_400

/** Smallest step of a unit that `shown` distinguishes. */
const leastSteps: Readonly<Record<FigureUnit, number>> = { count: 1, money: 1, rate: 0.001, seconds: 1 }

/** 1, 2 and 5, and their products with powers of ten. */
const roundSteps = (least: number): ReadonlyArray<number> =>
  Array.from({ length: 60 }, (_, index) => least * ([1, 2, 5][index % 3] ?? 1) * 10 ** Math.floor(index / 3))

const stepsFor = ({ unit }: Measure): ReadonlyArray<number> =>
  unit === "seconds" ? [...durationSteps, ...roundSteps(day)] : roundSteps(leastSteps[unit])

/** Tolerance for fractions that binary numbers only approximate. */
const tolerance = 1e-9

/** Returns even and round steps from the minimum, or 0, up to at least the maximum. */
export const stepsOf = (values: ReadonlyArray<number>, measure: Measure, most: number = 4): ReadonlyArray<number> => {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)]
  const sides = low < 0 && high > 0 ? 2 : 1
  const boundsOf = (step: number) => {
    const first = Math.floor(low / step + tolerance)
    return { step, first, count: Math.max(1, Math.ceil(high / step - tolerance) - first) }
  }
  const choices = stepsFor(measure)
  const step = choices.find((each) => boundsOf(each).count <= Math.max(sides, most)) ?? high - low
  const { count, first } = boundsOf(step)
  return Array.from({ length: count + 1 }, (_, index) => (first + index) * step)
}
