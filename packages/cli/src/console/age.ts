import { DateTime } from "effect"

const units = [
  ["d", 86_400],
  ["h", 3_600],
  ["min", 60]
] as const

/** How long ago something was, in the largest unit that fits: `3 min`. */
export const ageOf = (since: DateTime.Utc, now: DateTime.Utc): string => {
  const seconds = Math.max(0, Math.floor((DateTime.toEpochMillis(now) - DateTime.toEpochMillis(since)) / 1_000))
  const [unit, size] = units.find(([, size]) => seconds >= size) ?? ["s", 1]
  return `${Math.floor(seconds / size)} ${unit}`
}
