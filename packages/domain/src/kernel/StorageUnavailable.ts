import { Cause, Context, Data, Effect, Schedule } from "effect"

/** What became of a change when the storage stopped answering. */
export type StorageOutcome = "not_made" | "unknown"

/**
 * The storage cannot be used now: it is away, stands still, is overloaded or only to be read. A use case can do nothing
 * about that, so it is a defect; an edge tells it from faults of our own, and whoever works in the background goes on later.
 */
export class StorageUnavailable extends Data.TaggedError("StorageUnavailable")<{
  /** Why, in the words of whoever looks after the storage. */
  readonly reason: string
  /** Whether what was to be changed is certainly not changed. */
  readonly outcome: StorageOutcome
  /** Whether the storage is out of reach for everybody. Otherwise it is there, and what was asked lost to others or took too long. */
  readonly isAway: boolean
  readonly cause?: unknown
}> {
  override get message() {
    return `The storage cannot be used now: ${this.reason}`
  }
}

/**
 * The outage that ended an effect, if nothing else did: a fault of our own beside it is not explained by it. Of several,
 * the one that leaves the outcome open counts.
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

/** Whether an effect has ended because the storage is out of reach, which says nothing about the effect itself. */
export const isStorageUnavailable = (cause: Cause.Cause<unknown>): boolean => findOutage(cause)?.isAway === true

/**
 * How long a caller waits for the storage: for all that it asks together, not for each question. Time in which it waits for
 * nothing does not count.
 */
export class StorageTimeout {
  readonly millis: number
  private spent = 0
  private waiting = 0
  private since = 0

  constructor(millis: number) {
    this.millis = millis
  }

  /** How much is left, in milliseconds. */
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

/** The patience of whoever asks; `null` is as much as the storage is set up with, for each question. */
export const CurrentStorageTimeout = Context.Reference<StorageTimeout | null>("@parley/domain/kernel/StoragePatience", {
  defaultValue: () => null
})

const outageRetryPolicy = { schedule: Schedule.jittered(Schedule.spaced("250 millis")), times: 240 }

/** Does it once the storage is there again, if that is within a minute or so. */
export const retryThroughOutage = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  effect.pipe(
    Effect.sandbox,
    Effect.retry({ ...outageRetryPolicy, while: isStorageUnavailable }),
    Effect.catch((cause: Cause.Cause<E>) => Effect.failCause(cause))
  )
