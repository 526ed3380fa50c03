import { Schema } from "effect"

/** Where what becomes of messages is told, and with what it is signed. */
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
  /** Tells this server of what becomes of each message: three receipts, and of ten messages three are answered. */
  tells: Schema.NullOr(Schema.Struct({ url: Schema.String, lines: Schema.Array(ToldLine) }))
})
export type Settings = typeof Settings.Type

/** What the provider has seen of a number since it was asked to forget. */
export const SeenLine = Schema.Struct({
  phoneId: Schema.String,
  messages: Schema.Int,
  /** How many of them were handed in before. */
  duplicates: Schema.Int,
  firstAt: Schema.Finite,
  lastAt: Schema.Finite,
  /** How many came in the busiest second, wherever it begins. */
  busiest: Schema.Int
})
export type SeenLine = typeof SeenLine.Type

/** What it has seen, and what has become of what it has told. Times are milliseconds since 1970. */
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
