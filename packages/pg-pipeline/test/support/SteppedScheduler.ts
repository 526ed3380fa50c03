import type { Scheduler } from "effect"

/**
 * Pauses fibers between any two of their steps. The seed decides which fiber continues, so a rare interleaving is tested on purpose and can be
 * repeated.
 */
export class SteppedScheduler implements Scheduler.Scheduler {
  readonly executionMode = "async"
  private readonly ready: Array<() => void> = []
  private readonly draw: (below: number) => number

  constructor(seed: number) {
    this.draw = drawing(seed)
  }

  /** A pause consists of two steps. With a pause at every other step, no fiber would make progress. */
  shouldYield(): boolean {
    return this.draw(5) === 0
  }

  makeDispatcher(): Scheduler.SchedulerDispatcher {
    return {
      scheduleTask: (task) => void this.ready.push(task),
      flush: () => this.run()
    }
  }

  /** Runs until no fiber can continue. */
  run(): void {
    while (this.ready.length > 0) {
      const [task] = this.ready.splice(this.draw(this.ready.length), 1)
      task?.()
    }
  }
}

/** Returns the same numbers for the same seed (mulberry32). */
export function drawing(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}
