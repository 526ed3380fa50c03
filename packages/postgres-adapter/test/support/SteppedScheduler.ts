import type { Scheduler } from "effect"

/**
 * Lets fibers stand still between any two of their steps, and has whichever go on that a seed draws: what a busy machine does
 * once in a million times is tried here on purpose, and comes again with the same seed.
 */
export class SteppedScheduler implements Scheduler.Scheduler {
  readonly executionMode = "async"
  private readonly ready: Array<() => void> = []
  private readonly draw: (below: number) => number

  constructor(seed: number) {
    this.draw = drawing(seed)
  }

  /** Standing still is made of two steps itself: at every other step, nobody would come any further. */
  shouldYield(): boolean {
    return this.draw(5) === 0
  }

  makeDispatcher(): Scheduler.SchedulerDispatcher {
    return {
      scheduleTask: (task) => void this.ready.push(task),
      flush: () => this.run()
    }
  }

  /** Goes on until nobody can. */
  run(): void {
    while (this.ready.length > 0) {
      const [task] = this.ready.splice(this.draw(this.ready.length), 1)
      task?.()
    }
  }
}

/** The same numbers for the same seed (mulberry32). */
export function drawing(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}
