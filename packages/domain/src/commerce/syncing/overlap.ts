import { DateTime, Duration } from "effect"

/** Changes are seen in a shop's lists a little after the time that they bear. */
const lag = Duration.minutes(5)

/** Since when changes are read after a pass that began then. */
export const overlap = (asOf: DateTime.Utc): DateTime.Utc => DateTime.subtractDuration(asOf, lag)
