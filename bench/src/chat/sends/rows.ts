import type { Effect } from "effect"
import type { atFullSpeed } from "./atFullSpeed.ts"
import type { backlog } from "./backlog.ts"
import type { steadily } from "./steadily.ts"

/** Measurements of a contestant in a round. */
export interface Measured {
  readonly steady: Effect.Success<ReturnType<typeof steadily>>
  readonly full: Effect.Success<ReturnType<typeof atFullSpeed>>
  readonly alone: Effect.Success<ReturnType<typeof backlog>>
}

interface Row {
  readonly name: string
  readonly of: (measured: Measured) => number
  readonly decimals?: number
}

/** The printed figures. */
export const rowsOf = (perSecond: number): ReadonlyArray<Row> => [
  { name: `${perSecond}/s: until the provider has it, p50 ms`, of: ({ steady }) => steady.p50 },
  { name: `${perSecond}/s: until the provider has it, p99 ms`, of: ({ steady }) => steady.p99 },
  { name: `${perSecond}/s: until it is answered with 202, p50 ms`, of: ({ steady }) => steady.posts.p50 },
  { name: `${perSecond}/s: until it is answered with 202, p99 ms`, of: ({ steady }) => steady.posts.p99 },
  { name: "full speed: written, per s", of: ({ full }) => full.writtenPerSecond },
  { name: "full speed: sent while others were written, per s", of: ({ full }) => full.sentMeanwhilePerSecond },
  { name: "full speed: sent until none was left, per s", of: ({ full }) => full.sentPerSecond },
  { name: "full speed: written, p50 ms", of: ({ full }) => full.p50, decimals: 1 },
  { name: "full speed: written, p99 ms", of: ({ full }) => full.p99, decimals: 1 },
  { name: "full speed: until the provider has it, p50 ms", of: ({ full }) => full.wireP50 },
  { name: "full speed: until the provider has it, p99 ms", of: ({ full }) => full.wireP99 },
  { name: "full speed: CPU of the server for each, us", of: ({ full }) => full.serverMicros },
  { name: "full speed: CPU of PostgreSQL for each, us", of: ({ full }) => full.databaseMicros },
  { name: "sending alone: per s", of: ({ alone }) => alone.perSecond },
  { name: "sending alone: CPU of the server for each, us", of: ({ alone }) => alone.serverMicros },
  { name: "sending alone: CPU of PostgreSQL for each, us", of: ({ alone }) => alone.databaseMicros }
]
