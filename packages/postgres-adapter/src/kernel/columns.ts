import { PgTypes } from "@effect/sql-pg"
import { DateTime } from "effect"

/** An instant as the driver binds it, to the millisecond. */
export const stamp = (instant: DateTime.Utc | null) =>
  PgTypes.timestamptz(instant === null ? null : DateTime.toEpochMillis(instant))

/** An instant as the driver read it. */
export const utc = DateTime.fromDateUnsafe

/** An instant that may be absent, as the driver read it. */
export const utcOrNull = (value: Parameters<typeof utc>[0] | null) => (value === null ? null : utc(value))

/** A column of type timestamptz, as the driver gives it. */
export type Instant = Parameters<typeof utc>[0]
