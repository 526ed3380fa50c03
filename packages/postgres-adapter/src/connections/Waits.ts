import type { StorageTimeout } from "@parley/domain"

/** A wait for the server. */
export interface Wait {
  readonly patience: StorageTimeout | null
  readonly since: number
  readonly until: number
  /** Called after the time limit; `false` continues the wait. */
  readonly giveUp: () => boolean
}

interface Placed extends Wait {
  place: number
}

const nowhere = -1

/**
 * All waits, in no order. Not a `Set`: V8 reallocates the table of a set after removals. An old table keeps all later ones, and their contents, from
 * the young generation's collector.
 */
export class Waits {
  private readonly all: Array<Placed> = []

  add(wait: Wait): Wait {
    const placed = { ...wait, place: this.all.length }
    this.all.push(placed)
    return placed
  }

  /** A wait that is already removed can be removed again. */
  remove(wait: Wait): void {
    const { place } = wait as Placed
    if (place === nowhere) return
    const last = this.all.pop() as Placed
    if (last !== wait) {
      this.all[place] = last
      last.place = place
    }
    ;(wait as Placed).place = nowhere
  }

  /** Visits each current wait, unless it is removed before its turn. */
  forEach(look: (wait: Wait) => void): void {
    for (const wait of Array.from(this.all)) if (wait.place !== nowhere) look(wait)
  }
}
