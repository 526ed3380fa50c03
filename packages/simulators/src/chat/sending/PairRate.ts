const maxBurst = 45

/**
 * Pace to one user: a message per interval on average. Up to 45 messages within one interval are a burst, which silence repays: 20 messages take 20
 * intervals.
 */
export class PairRate {
  #startedAt = Number.NEGATIVE_INFINITY
  #count = 0

  /** Counts a message; false: it is too fast and not counted. */
  take(now: number, interval: number): boolean {
    const passed = now - this.#startedAt
    if (passed < interval) {
      if (this.#count >= maxBurst) return false
      this.#count += 1
      return true
    }
    if (passed < this.#count * interval) return false
    this.#startedAt = now
    this.#count = 1
    return true
  }
}
