import { Context, type DateTime, type Effect } from "effect"

/** How much waits to be done, over all organizations. */
export interface BacklogSize {
  readonly deliveries: {
    readonly waiting: number
    readonly parked: number
    /** When the one that has waited longest came; `null` where none waits. */
    readonly oldest: DateTime.Utc | null
  }
  readonly sends: {
    readonly waiting: number
    /** Since when the most overdue one could be sent; in the future where none is overdue, `null` where none waits. */
    readonly oldest: DateTime.Utc | null
  }
  readonly jobs: {
    readonly queued: number
    readonly running: number
    /** When the one that has been queued longest was started; `null` where none is queued. */
    readonly oldest: DateTime.Utc | null
  }
  readonly automationRuns: {
    /** Those with something to do now. */
    readonly queued: number
    /** Those that wait for the end of quiet hours, or to be tried again. */
    readonly waiting: number
    /** Those that wait for a plugin. */
    readonly calling: number
    /** When the queued one that is oldest began; `null` where none is queued. */
    readonly oldest: DateTime.Utc | null
  }
}

/** Tells operators how much waits. It stands above tenants, and names none. */
export class Backlog extends Context.Service<Backlog, { readonly size: Effect.Effect<BacklogSize> }>()(
  "@parley/domain/platform/operations/Backlog"
) {}
