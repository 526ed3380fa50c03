import { Schema } from "effect"

/** Target of the receipts, and the secret that signs them. */
export const ToldLine = Schema.Struct({
  phoneId: Schema.String,
  businessId: Schema.String,
  displayPhone: Schema.String,
  appSecret: Schema.String,
  path: Schema.String
})
export type ToldLine = typeof ToldLine.Type

/** How the provider behaves from now on. */
export const Settings = Schema.Struct({
  /** How long it takes to answer. */
  latencyMillis: Schema.Finite,
  /** Reports the states of each message to this server: three receipts, and an answer to three of ten messages. */
  tells: Schema.NullOr(Schema.Struct({ url: Schema.String, lines: Schema.Array(ToldLine) }))
})
export type Settings = typeof Settings.Type

/** Calls that the provider has received for a number since its last reset. */
export const SeenLine = Schema.Struct({
  phoneId: Schema.String,
  messages: Schema.Int,
  /** Number of repeated messages. */
  duplicates: Schema.Int,
  firstAt: Schema.Finite,
  lastAt: Schema.Finite,
  /** Number of calls in the busiest second, at any start. */
  busiest: Schema.Int
})
export type SeenLine = typeof SeenLine.Type

/** Received calls and the results of the reports. Times are milliseconds since 1970. */
export const Seen = Schema.Struct({
  lines: Schema.Array(SeenLine),
  told: Schema.Struct({
    sent: Schema.Int,
    refused: Schema.Int,
    waiting: Schema.Int,
    p50: Schema.Finite,
    p99: Schema.Finite
  })
})
export type Seen = typeof Seen.Type
