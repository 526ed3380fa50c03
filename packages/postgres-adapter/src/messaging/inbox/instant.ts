import { DateTime } from "effect"

const earliest = DateTime.toEpochMillis(DateTime.makeUnsafe("0001-01-01T00:00:00Z"))
const latest = DateTime.toEpochMillis(DateTime.makeUnsafe("9999-12-31T23:59:59.999Z"))

const isWritten = ({ epochMilliseconds: millis }: DateTime.Utc) => millis >= earliest && millis <= latest

const nearest = ({ epochMilliseconds: millis }: DateTime.Utc) => Math.min(Math.max(millis, earliest), latest)

/** An instant in a record that PostgreSQL parses, to the millisecond, within its range of years. */
export const instant = (at: DateTime.Utc | null): string | null =>
  at === null ? null : DateTime.formatIso(isWritten(at) ? at : DateTime.makeUnsafe(nearest(at)))
