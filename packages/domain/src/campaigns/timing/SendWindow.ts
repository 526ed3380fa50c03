import { Schema } from "effect"
import { ClockTime, Day } from "./ClockTime.ts"

const differ = Schema.makeFilter(
  ({ from, to }: { readonly from: string; readonly to: string }) =>
    from !== to || "Expected two different times: from and to are the same"
)

/** The hours of some days in which a broadcast sends. One that ends before it begins goes on over midnight; it is of the day it begins on. */
export const SendWindow = Schema.Struct({
  days: Schema.Array(Day).check(
    Schema.isBetweenLength(1, 7, { message: "Expected 1 to 7 days" }),
    Schema.isUnique({ message: "Expected each day once" })
  ),
  from: ClockTime,
  to: ClockTime
})
  .check(differ)
  .annotate({ identifier: "SendWindow" })
export type SendWindow = typeof SendWindow.Type
