import { PgTypes } from "@effect/sql-pg"
import { DateTime } from "effect"

/** Where PostgreSQL's time begins, in 4713 BC. Nothing that is stored is older. */
const beginningOfTime = -210_866_803_200_000

/** An instant as the driver binds it, to the millisecond. */
export const stamp = (instant: DateTime.Utc | null) =>
  PgTypes.timestamptz(instant === null ? null : Math.max(DateTime.toEpochMillis(instant), beginningOfTime))

/** An instant as the driver read it. */
export const utc = DateTime.fromDateUnsafe

/** An instant that may be absent, as the driver read it. */
export const utcOrNull = (value: Parameters<typeof utc>[0] | null) => (value === null ? null : utc(value))

/** A column of type timestamptz, as the driver gives it. */
export type Instant = Parameters<typeof utc>[0]

/**
 * For making a domain object of a row that this adapter wrote: it was checked when it was made, and rules that came
 * later must not make it unreadable.
 */
export const asWritten = { disableChecks: true } as const
