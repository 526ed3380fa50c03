import { Cause, Context, Data, Effect, Schedule } from "effect"

/** Outcome of a change when the storage stopped responding. */
export type StorageOutcome = "not_made" | "unknown"

/**
 * The storage is unreachable, blocked, overloaded or read-only. A use case cannot handle that, so it is a defect. An edge distinguishes it from
 * internal errors, and background work continues later.
 */
export class StorageUnavailable extends Data.TaggedError("StorageUnavailable")<{
  /** Reason for the operator of the storage. */
  readonly reason: string
  /** Whether the change was certainly not made. */
  readonly outcome: StorageOutcome
  /** Whether the storage is unreachable for all callers. If false, only this request was rejected or took too long. */
  readonly isAway: boolean
  readonly cause?: unknown
}> {
  override get message() {
    return `The storage is not available: ${this.reason}`
  }
}

/**
 * Finds the outage that ended an effect. `null` if the cause also contains an internal error. Of several outages, one with an unknown outcome takes
 * precedence.
 */
export const findOutage = (cause: Cause.Cause<unknown>): StorageUnavailable | null => {
  let outage: StorageUnavailable | null = null
  for (const reason of cause.reasons) {
    const fault = Cause.isDieReason(reason) ? reason.defect : Cause.isFailReason(reason) ? reason.error : null
    if (!(fault instanceof StorageUnavailable)) return null
    if (outage === null || fault.outcome === "unknown") outage = fault
  }
  return outage
}

/** Whether an effect ended because the storage is unreachable. That is not a failure of the effect itself. */
export const isStorageUnavailable = (cause: Cause.Cause<unknown>): boolean => findOutage(cause)?.isAway === true

/** Time limit of a caller for all its storage requests together. Time without a pending request does not count. */
export class StorageTimeout {
  readonly millis: number
  private spent = 0
  private waiting = 0
  private since = 0

  constructor(millis: number) {
    this.millis = millis
  }

  /** Returns the remaining time in milliseconds. */
  left(now: number): number {
    return this.millis - this.spent - (this.waiting > 0 ? now - this.since : 0)
  }

  begin(now: number): void {
    if (this.waiting === 0) this.since = now
    this.waiting += 1
  }

  end(now: number): void {
    this.waiting -= 1
    if (this.waiting === 0) this.spent += now - this.since
  }
}

/** Storage timeout of the caller; `null` uses the configured timeout for each request. */
export const CurrentStorageTimeout = Context.Reference<StorageTimeout | null>("@parley/domain/kernel/StoragePatience", {
  defaultValue: () => null
})

const outageRetryPolicy = { schedule: Schedule.jittered(Schedule.spaced("250 millis")), times: 240 }

/** Retries for up to one minute while the storage is unavailable. */
export const retryThroughOutage = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  effect.pipe(
    Effect.sandbox,
    Effect.retry({ ...outageRetryPolicy, while: isStorageUnavailable }),
    Effect.catch((cause: Cause.Cause<E>) => Effect.failCause(cause))
  )
