/** Queue of timed items. Each item is in it once, and one caller at a time takes it. Items without a time come last. */
export const makeTimerQueue = <Item>(nameOf: (item: Item) => string) => {
  const items = new Map<string, Item>()
  const later = new Map<string, number>()
  const ready = new Set<string>()
  const idle = new Set<string>()
  const inHand = new Map<string, number | null>()

  const putName = (name: string, at: number) => {
    const other = inHand.get(name)
    if (other !== undefined) inHand.set(name, Math.min(at, other ?? Infinity))
    else if (!ready.has(name)) later.set(name, Math.min(at, later.get(name) ?? Infinity))
  }

  return {
    /** Adds the item, due at this time at the latest. */
    put: (item: Item, at: number) => {
      items.set(nameOf(item), item)
      putName(nameOf(item), at)
    },
    /** Adds the item after all timed items. */
    putLast: (item: Item) => {
      const name = nameOf(item)
      items.set(name, item)
      if (!inHand.has(name) && !ready.has(name)) idle.add(name)
    },
    /** Takes a due item. No other caller gets it until `giveBack`. */
    take: (now: number): Item | null => {
      const due = Array.from(later).filter(([, at]) => at <= now)
      for (const [name] of due.toSorted(([, one], [, other]) => one - other)) {
        later.delete(name)
        ready.add(name)
      }
      for (const name of [...ready.values().take(1), ...idle.values().take(1)]) {
        const item = items.get(name)
        ready.delete(name)
        idle.delete(name)
        if (item === undefined) continue
        inHand.set(name, null)
        return item
      }
      return null
    },
    /** Returns the item to the queue, due at this time; `null`: only after the next `put`. */
    giveBack: (item: Item, at: number | null) => {
      const name = nameOf(item)
      const meanwhile = inHand.get(name) ?? null
      inHand.delete(name)
      const next = Math.min(at ?? Infinity, meanwhile ?? Infinity)
      if (next !== Infinity) putName(name, next)
      else if (!idle.has(name)) items.delete(name)
    },
    /** Time of the next due item; `null` for an empty queue. */
    nextDue: (): number | null => {
      if (ready.size + idle.size > 0) return 0
      const next = Math.min(...later.values())
      return next === Infinity ? null : next
    }
  }
}
