const second = 1_000
const compactFrom = 1_024

/** Messages that a number sent and received within the last second. Both count. */
export class Traffic {
  #times: Array<number> = []
  #first = 0

  /** Counts one more. */
  add(now: number): void {
    this.#times.push(now)
  }

  /** How many there were within the second before now. */
  count(now: number): number {
    while ((this.#times[this.#first] ?? now) <= now - second) this.#first += 1
    if (this.#first >= compactFrom) {
      this.#times = this.#times.slice(this.#first)
      this.#first = 0
    }
    return this.#times.length - this.#first
  }
}
