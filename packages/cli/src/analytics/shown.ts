import type { FigureUnit } from "@parley/domain"
import { amountText } from "../console/amountText.ts"

const tenths = (value: number) => String(Math.round(value * 10) / 10)

/** A duration in the largest unit that fits: `3.5 h`. */
export const duration = (seconds: number | null): string => {
  if (seconds === null) return "–"
  if (seconds < 60) return `${Math.round(seconds)} s`
  if (seconds < 3_600) return `${Math.round(seconds / 60)} min`
  return seconds < 172_800 ? `${tenths(seconds / 3_600)} h` : `${tenths(seconds / 86_400)} d`
}

/** A share as per cent. */
export const share = (rate: number | null): string => (rate === null ? "–" : `${tenths(rate * 100)}%`)

/** A value of a figure as people read it; a dash where there is none. */
export const shown = (value: number | null, unit: FigureUnit, currency = ""): string => {
  if (value === null) return "–"
  switch (unit) {
    case "count":
      return String(value)
    case "rate":
      return share(value)
    case "seconds":
      return duration(value)
    case "money":
      return amountText({ amountMinor: value, currency })
  }
}
