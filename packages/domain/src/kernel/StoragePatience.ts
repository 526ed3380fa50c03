import { Context } from "effect"

/**
 * How long a caller waits for the storage: for all that it asks together, not for each question. Time in which it waits for
 * nothing does not count.
 */
export class Patience {
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
export const StoragePatience = Context.Reference<Patience | null>("@parley/domain/kernel/StoragePatience", {
  defaultValue: () => null
})
