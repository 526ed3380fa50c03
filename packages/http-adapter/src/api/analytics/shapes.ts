import { ChatAccountId, LocalDate, PeriodName, SeriesFigure } from "@parley/domain"
import { Schema, SchemaGetter } from "effect"

const size = (minimum: number, maximum: number) => {
  const message = `Expected a whole number from ${minimum} to ${maximum}`
  return Schema.String.check(Schema.isPattern(/^[1-9]\d{0,3}$/u, { message })).pipe(
    Schema.decodeTo(Schema.Int.check(Schema.isBetween({ minimum, maximum }, { message })), {
      decode: SchemaGetter.transform(Number),
      encode: SchemaGetter.transform(String)
    })
  )
}

/** How an answer is written, and how a chart looks. */
export const Look = {
  format: Schema.optionalKey(Schema.Literals(["json", "csv", "svg"])).annotateKey({
    description: "How the answer is written; as `Accept` asks for if not said, and JSON if that leaves it open."
  }),
  width: Schema.optionalKey(size(320, 2_000)).annotateKey({
    description: "How wide a chart is, in pixels: 320 to 2000, 960 if not said."
  }),
  height: Schema.optionalKey(size(200, 1_200)).annotateKey({
    description: "How high a chart is, in pixels: 200 to 1200, 480 if not said."
  }),
  theme: Schema.optionalKey(Schema.Literals(["light", "dark", "auto"])).annotateKey({
    description: "The colours of a chart; `auto` are those that the reader's device prefers. Light if not said."
  })
}

/** Which local days are asked for. */
export const Range = {
  period: Schema.optionalKey(PeriodName).annotateKey({
    description: "Today so far and the 6 days before it, or the 29. Either this, or `from` and `to`."
  }),
  from: Schema.optionalKey(LocalDate).annotateKey({
    description: "The first day, such as 2026-11-01; 2000-01-01 at the earliest."
  }),
  to: Schema.optionalKey(LocalDate).annotateKey({
    description: "The last day: today at the latest, and within 366 days from the first one."
  })
}

/** Over which number. */
export const OfAccount = {
  chatAccountId: Schema.optionalKey(ChatAccountId).annotateKey({
    description: "Only what happened over this chat account, also if it was removed."
  })
}

/** Which figures are asked for. */
export const SeriesFigures = Schema.Array(SeriesFigure)
  .check(
    Schema.isBetweenLength(1, 10, { message: "Expected 1 to 10 figures" }),
    Schema.isUnique({ message: "Expected each figure once" })
  )
  .annotateKey({
    description: "A figure, by its place in the overview, such as `conversations.opened`; 1 to 10 times."
  })

const chartExample =
  '<svg xmlns="http://www.w3.org/2000/svg" role="img" width="960" height="480" viewBox="0 0 960 480"><title>Overview</title></svg>'

/** An answer as a table and as a chart. */
export const drawn = (csv: string) =>
  ({
    "text/csv": { schema: { type: "string" }, example: csv },
    "image/svg+xml": { schema: { type: "string" }, example: chartExample }
  }) as const
