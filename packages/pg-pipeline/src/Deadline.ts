import { Context } from "effect"

/** Time limit of a caller for all its statements together. Time without a waiting statement does not count. */
export interface Deadline {
  readonly millis: number
  /** Returns the remaining time in milliseconds. */
  readonly left: (now: number) => number
  /** Called when a statement starts to wait. */
  readonly begin: (now: number) => void
  /** Called when a statement stops waiting. */
  readonly end: (now: number) => void
}

/** Deadline of the caller; `null` uses the configured timeout for each statement. */
export const CurrentDeadline = Context.Reference<Deadline | null>("@parley/pg-pipeline/CurrentDeadline", {
  defaultValue: () => null
})

/** A deadline that ends after this waiting time. Statements that wait at the same time count once. */
export const makeDeadline = (millis: number): Deadline => {
  let spent = 0
  let waiting = 0
  let since = 0
  return {
    millis,
    left: (now) => millis - spent - (waiting > 0 ? now - since : 0),
    begin: (now) => {
      if (waiting === 0) since = now
      waiting += 1
    },
    end: (now) => {
      waiting -= 1
      if (waiting === 0) spent += now - since
    }
  }
}
