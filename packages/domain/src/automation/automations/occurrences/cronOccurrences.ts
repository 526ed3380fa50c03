import { Cron, DateTime, Result, Schema } from "effect"
import { instantAt, toLocalTime } from "../../../kernel/index.ts"

const fieldCount = 5

/** Minimum number of minutes between two occurrences. */
const minIntervalMinutes = 15

const hasConsecutiveHours = (hours: ReadonlySet<number>): boolean =>
  hours.size === 0 || [...hours].some((hour) => hours.has((hour + 1) % 24))

const isTooFrequent = ({ hours, minutes }: Cron.Cron): boolean => {
  const [first, ...others] = [...minutes].toSorted((one, other) => one - other)
  // Without a restriction, the parser returns an empty set.
  if (first === undefined) return true
  let previous = first
  for (const minute of others) {
    if (minute - previous < minIntervalMinutes) return true
    previous = minute
  }
  return hasConsecutiveHours(hours) && first + 60 - previous < minIntervalMinutes
}

const epoch = DateTime.makeUnsafe("2000-01-01T00:00:00Z")

const hasOccurrence = (cron: Cron.Cron): boolean => Result.isSuccess(Result.try(() => Cron.next(cron, epoch)))

const cronIssue = (text: string): string | null => {
  if (text.split(" ").length !== fieldCount) {
    return "Expected five fields: minute, hour, day of the month, month and day of the week"
  }
  const parsed = Cron.parse(text, "UTC")
  if (Result.isFailure(parsed)) return "Expected a cron expression such as 0 9 * * mon"
  if (isTooFrequent(parsed.success)) return `Expected at least ${minIntervalMinutes} minutes between two times`
  return hasOccurrence(parsed.success) ? null : "Expected a day that exists"
}

/** Cron expression of five fields, with at least 15 minutes between two occurrences. */
export const CronExpression = Schema.String.check(
  Schema.isMaxCodePoints(100, { message: "Expected at most 100 characters" }),
  Schema.makeFilter((text: string) => cronIssue(text) ?? true)
)

/**
 * Returns the first occurrence after an instant. The expression describes local times in the zone: a time that the clocks skip occurs at the end of
 * the gap, and a repeated time occurs at its first instant.
 */
export const nextOccurrence = (expression: string, zone: DateTime.TimeZone, after: DateTime.Utc): DateTime.Utc => {
  const cron = Cron.parseUnsafe(expression, "UTC")
  let local = DateTime.makeUnsafe(`${toLocalTime(after, zone)}:00Z`)
  while (true) {
    local = DateTime.makeUnsafe(Cron.next(cron, local))
    const [date = "", time = ""] = DateTime.formatIso(local).split("T")
    const instant = instantAt(date, time.slice(0, 5), zone)
    if (DateTime.isGreaterThan(instant, after)) return instant
  }
}

/** Last occurrence up to now, and the number of occurrences before it. */
export interface ReachedOccurrence {
  readonly at: DateTime.Utc
  readonly missed: number
}

/** Returns the last occurrence up to `now`, counted from the due one. */
export const lastReachedOccurrence = (
  expression: string,
  zone: DateTime.TimeZone,
  due: DateTime.Utc,
  now: DateTime.Utc
): ReachedOccurrence => {
  let [at, missed] = [due, 0]
  while (true) {
    const next = nextOccurrence(expression, zone, at)
    if (DateTime.isGreaterThan(next, now)) return { at, missed }
    at = next
    missed += 1
  }
}
