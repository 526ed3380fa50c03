import type { StorageTimeout } from "@parley/domain"

/** Something that waits for the server. */
export interface Wait {
  readonly patience: StorageTimeout | null
  readonly since: number
  readonly until: number
  /** What happens when it has waited for long enough; `false` if it goes on waiting all the same. */
  readonly giveUp: () => boolean
}

interface Placed extends Wait {
  place: number
}

const nowhere = -1

/**
 * All that waits, in no order. It is no `Set`: V8 makes the table of a set anew each time some have left, and a table that has lived
 * long keeps all later ones from its collector of what is young, with everything that was ever in them.
 */
export class Waits {
  private readonly all: Array<Placed> = []

  add(wait: Wait): Wait {
    const placed = { ...wait, place: this.all.length }
    this.all.push(placed)
    return placed
  }

  /** One that has left already may do so again. */
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

  /** Looks at each that is there now, unless it is removed before its turn. */
  forEach(look: (wait: Wait) => void): void {
    for (const wait of Array.from(this.all)) if (wait.place !== nowhere) look(wait)
  }
}
