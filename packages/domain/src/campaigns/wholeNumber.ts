import { Schema } from "effect"

/** A whole number in these bounds, which count themselves. */
export const wholeNumber = (minimum: number, maximum: number) =>
  Schema.Number.check(
    Schema.isInt({ message: "Expected a whole number" }),
    Schema.isBetween({ minimum, maximum }, { message: `Expected ${minimum} to ${maximum}` })
  )
