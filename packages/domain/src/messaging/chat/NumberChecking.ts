import type { Effect } from "effect"
import type { ChannelFailure } from "./ChannelErrors.ts"
import type { Line } from "./Line.ts"

/** How a number is doing. */
export interface LineHealth {
  readonly displayPhone: string
  readonly verifiedName: string | null
  readonly quality: "green" | "yellow" | "red" | "unknown"
  readonly messagingLimit: string | null
  readonly throughputPerSecond: number | null
  /** Whether the number and its business account may send, as far as the provider says. */
  readonly sending: "available" | "limited" | "blocked" | "unknown"
  /** What the provider holds against the number, its business account or its business. */
  readonly issues: ReadonlyArray<{ readonly code: number; readonly reason: string }>
}

/** Asks a provider how a number is doing. */
export interface NumberChecking {
  readonly check: (line: Line) => Effect.Effect<LineHealth, ChannelFailure>
}
