import { Context, type DateTime, type Effect } from "effect"

/** How many units a bucket gives out in one window. */
export interface Quota {
  readonly limit: number
  readonly windowMillis: number
}

/** What a bucket gave. `granted` may be less than asked for; `0` means the window is used up until `resetsAt`. */
export interface Grant {
  readonly granted: number
  readonly remaining: number
  readonly resetsAt: DateTime.Utc
}

/** Counts in fixed windows, shared by every process of the service. */
export class RateLimits extends Context.Service<
  RateLimits,
  {
    /** Spends units of the window that runs, as many as it has left. */
    readonly spend: (bucket: string, quota: Quota, units: number) => Effect.Effect<Grant>
    /** Gives units back, so that a success does not count as a failure. */
    readonly refund: (bucket: string, quota: Quota, units: number) => Effect.Effect<void>
    /** Deletes windows that are over; says how many. */
    readonly sweep: Effect.Effect<number>
  }
>()("@parley/domain/kernel/RateLimits") {}
