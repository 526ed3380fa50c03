import { Schema } from "effect"
import { answeredAt } from "./AnalyticsMeta.ts"

/** Up to which waits are counted together, in seconds; the last step has no end. */
export const waitSteps = [300, 900, 3_600, 14_400, 86_400, null] as const

/** How much there is to do now. */
export const Live = Schema.Struct({
  ...answeredAt,
  open: Schema.Int,
  pending: Schema.Int,
  snoozed: Schema.Int,
  unassigned: Schema.Int,
  waiting: Schema.Struct({
    count: Schema.Int,
    longestSeconds: Schema.NullOr(Schema.Int),
    steps: Schema.Array(Schema.Struct({ upToSeconds: Schema.NullOr(Schema.Int), count: Schema.Int }))
  })
}).annotate({ identifier: "AnalyticsLive" })
export type Live = typeof Live.Type
