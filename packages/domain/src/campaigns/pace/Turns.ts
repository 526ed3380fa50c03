/**
 * Whose turn it is among those who share the pace of an account. Whoever has had least of it comes next, so that all who can be sent get
 * equal parts of it, whatever their size; what somebody could not use meanwhile is not made up for.
 */
export const makeTurns = <Id extends string>() => {
  const had = new Map<Id, number>()
  let present: ReadonlySet<Id> = new Set()
  let least = 0

  const hadOf = (id: Id) => had.get(id) ?? 0

  return {
    /** The next one of these. */
    next: (ready: ReadonlyArray<Id>): Id | undefined => {
      for (const id of ready) if (!present.has(id)) had.set(id, Math.max(hadOf(id), least))
      present = new Set(ready)
      const [id] = ready.toSorted((one, other) => hadOf(one) - hadOf(other) || (one < other ? -1 : 1))
      if (id !== undefined) least = hadOf(id)
      return id
    },
    /** It has had so much. */
    charge: (id: Id, amount: number) => void had.set(id, hadOf(id) + amount)
  }
}

/** Whose turn it is. */
export type Turns<Id extends string> = ReturnType<typeof makeTurns<Id>>
