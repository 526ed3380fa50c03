import { DateTime, Duration } from "effect"

/** What happened longer ago starts nothing. */
const freshFor = Duration.hours(24)

/** Whether something that happened then may start anything now. */
export const isFresh = (at: DateTime.Utc, now: DateTime.Utc): boolean =>
  !DateTime.isLessThan(at, DateTime.subtractDuration(now, freshFor))
