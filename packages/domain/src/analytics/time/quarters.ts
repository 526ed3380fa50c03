import { DateTime } from "effect"

/** A quarter hour of UTC, by how many there were since 1970. Days and hours of every zone begin with one. */
export type Quarter = number

const length = 900_000

/** The quarter hour of an instant. */
export const quarterOf = (instant: DateTime.Utc): Quarter => Math.floor(DateTime.toEpochMillis(instant) / length)

/** When a quarter hour begins. */
export const startOfQuarter = (quarter: Quarter): DateTime.Utc => DateTime.makeUnsafe(quarter * length)

/** How many seconds have begun between two instants: by the clock's whole seconds, as providers tell time. */
export const secondsBetween = (from: DateTime.Utc, to: DateTime.Utc): number =>
  Math.floor(DateTime.toEpochMillis(to) / 1_000) - Math.floor(DateTime.toEpochMillis(from) / 1_000)
