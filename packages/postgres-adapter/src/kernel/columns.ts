import { PgTypes } from "@effect/sql-pg"
import { DateTime } from "effect"

/** Start of PostgreSQL's time range, in 4713 BC. No stored instant is older. */
const beginningOfTime = -210_866_803_200_000

/** An instant as a driver parameter, to the millisecond. */
export const stamp = (instant: DateTime.Utc | null) =>
  PgTypes.timestamptz(instant === null ? null : Math.max(DateTime.toEpochMillis(instant), beginningOfTime))

/** An instant from a driver value. */
export const utc = DateTime.fromDateUnsafe

/** A nullable instant from a driver value. */
export const utcOrNull = (value: Parameters<typeof utc>[0] | null) => (value === null ? null : utc(value))

/** Driver value of a timestamptz column. */
export type Instant = Parameters<typeof utc>[0]

/** Creates a domain object from a row of this adapter without checks. It was checked at its creation, and later rules must not make it unreadable. */
export const asWritten = { disableChecks: true } as const
