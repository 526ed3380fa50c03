import { Schema } from "effect"

/** An instant: RFC 3339 in UTC on the wire. */
export const Timestamp = Schema.DateTimeUtcFromString.pipe(Schema.annotateEncoded({ format: "date-time" }))
export type Timestamp = typeof Timestamp.Type
