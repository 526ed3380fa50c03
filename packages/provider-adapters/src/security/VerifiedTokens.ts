/** A bounded memory of what was verified before. What was not asked for in a long time makes room, half of it at once. */
export const makeVerifiedTokens = <A>(capacity: number) => {
  const generation = Math.max(1, Math.floor(capacity / 2))
  let recent = new Map<string, A>()
  let older = new Map<string, A>()

  const set = (digest: string, entry: A): void => {
    if (recent.size >= generation) {
      older = recent
      recent = new Map()
    }
    recent.set(digest, entry)
  }

  return {
    set,
    // Taking an entry out and putting it in again, as an exact order of use would need, makes a `Map` slow for its key.
    get: (digest: string): A | undefined => {
      const entry = recent.get(digest)
      if (entry !== undefined) return entry
      const before = older.get(digest)
      if (before !== undefined) set(digest, before)
      return before
    }
  }
}
