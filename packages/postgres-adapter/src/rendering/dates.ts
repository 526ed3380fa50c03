import { DateTime } from "effect"

/** Number of cached days: eleven years, each day at its own index. */
const kept = 4_096

/** Length of `2026-03-01`. */
const length = 10

const dayMillis = 86_400_000

/** Formats days, counted from 1970, as dates with a four-digit year, and caches the texts. */
export const makeDates = () => {
  const days = new Float64Array(kept).fill(Number.NaN)
  const dates = new Uint8Array(kept * length)
  return {
    /** Returns the end position. */
    write(day: number, target: Uint8Array, to: number): number {
      const place = day & (kept - 1)
      const from = place * length
      if (days[place] !== day) {
        const date = DateTime.formatIso(DateTime.makeUnsafe(day * dayMillis))
        for (let at = 0; at < length; at += 1) dates[from + at] = date.charCodeAt(at)
        days[place] = day
      }
      for (let at = 0; at < length; at += 1) target[to + at] = dates[from + at] ?? 0
      return to + length
    }
  }
}
