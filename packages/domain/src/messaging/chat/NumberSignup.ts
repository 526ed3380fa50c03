import type { Effect, Redacted } from "effect"
import type { ChannelFailure } from "./ChannelErrors.ts"
import type { Line } from "./Line.ts"

/** Connects numbers through the platform app. */
export interface NumberSignup {
  /** Turns the code of a signup into a right to use its number. A code is good once. */
  readonly exchangeCode: (code: Redacted.Redacted) => Effect.Effect<Redacted.Redacted, ChannelFailure>
  /** Has the provider send what happens with this business account. */
  readonly subscribe: (line: Line) => Effect.Effect<void, ChannelFailure>
}
