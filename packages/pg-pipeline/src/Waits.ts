import type { Deadline } from "./Deadline.ts"

/** A wait for the server. */
export interface Wait {
  readonly deadline: Deadline | null
  readonly since: number
  readonly until: number
  /** Called after the time limit; `false` continues the wait. */
  readonly giveUp: () => boolean
}

interface PlacedWait extends Wait {
  index: number
}

const removed = -1

/**
 * All waits, in no order. Not a `Set`: V8 reallocates the table of a set after removals. An old table keeps all later ones, and their contents, from
 * the young generation's collector.
 */
export class Waits {
  private readonly all: Array<PlacedWait> = []

  add(wait: Wait): Wait {
    const placed = { ...wait, index: this.all.length }
    this.all.push(placed)
    return placed
  }

  /** A wait that is already removed can be removed again. */
  remove(wait: Wait): void {
    const { index } = wait as PlacedWait
    if (index === removed) return
    const last = this.all.pop() as PlacedWait
    if (last !== wait) {
      this.all[index] = last
      last.index = index
    }
    ;(wait as PlacedWait).index = removed
  }

  /** Visits each current wait, unless it is removed before its turn. */
  forEach(visit: (wait: Wait) => void): void {
    for (const wait of Array.from(this.all)) if (wait.index !== removed) visit(wait)
  }
}
