import { Schema } from "effect"

const message = "Expected a clock time such as 09:30, up to 24:00"

/** What a clock shows, from 00:00 to 24:00, which is the end of a day. */
const SpanTime = Schema.String.check(Schema.isPattern(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/u, { message }))

/** From a clock time to a later one of the same day. */
export const DaySpan = Schema.Array(SpanTime).check(
  Schema.isBetweenLength(2, 2, { message: "Expected two clock times: from and to" }),
  Schema.makeFilter(
    ([from, to]: ReadonlyArray<string>) =>
      from === undefined ||
      to === undefined ||
      from < to ||
      "Expected the end after the beginning: hours over midnight are two spans, the first up to 24:00"
  )
)
export type DaySpan = typeof DaySpan.Type

const faultOf = (spans: ReadonlyArray<DaySpan>) => {
  const overlaps = spans.some(([from = ""], index) => index > 0 && from < (spans[index - 1]?.[1] ?? ""))
  return !overlaps || "Expected spans in the order of the day that do not overlap"
}

/** When it is open on a day: never, if there is none. */
export const DaySpans = Schema.Array(DaySpan).check(
  Schema.isMaxLength(6, { message: "Expected at most 6 spans" }),
  Schema.makeFilter(faultOf)
)
export type DaySpans = typeof DaySpans.Type
