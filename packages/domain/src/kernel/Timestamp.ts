import { Schema } from "effect"

const rfc3339 = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/

/** An instant: RFC 3339 in UTC on the wire. */
export const Timestamp = Schema.String.check(
  Schema.isPattern(rfc3339, { message: "Expected a time such as 2026-03-01T09:30:00Z" })
).pipe(Schema.decodeTo(Schema.DateTimeUtcFromString), Schema.annotateEncoded({ format: "date-time" }))
export type Timestamp = typeof Timestamp.Type
