import { Cause, Data } from "effect"

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
export const outageIn = (cause: Cause.Cause<unknown>): StorageUnavailable | null => {
  let outage: StorageUnavailable | null = null
  for (const reason of cause.reasons) {
    const fault = Cause.isDieReason(reason) ? reason.defect : Cause.isFailReason(reason) ? reason.error : null
    if (!(fault instanceof StorageUnavailable)) return null
    if (outage === null || fault.outcome === "unknown") outage = fault
  }
  return outage
}

/** Whether an effect has ended because the storage is out of reach, which says nothing about the effect itself. */
export const isAway = (cause: Cause.Cause<unknown>): boolean => outageIn(cause)?.isAway === true
