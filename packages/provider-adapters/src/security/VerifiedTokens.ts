/** A bounded memory of what was verified before. The one that was not asked for longest makes room. */
export const makeVerifiedTokens = <A>(capacity: number) => {
  const entries = new Map<string, A>()
  return {
    get: (digest: string): A | undefined => {
      const entry = entries.get(digest)
      if (entry === undefined) return undefined
      entries.delete(digest)
      entries.set(digest, entry)
      return entry
    },
    set: (digest: string, entry: A): void => {
      entries.delete(digest)
      entries.set(digest, entry)
      if (entries.size <= capacity) return
      for (const oldest of entries.keys()) {
        entries.delete(oldest)
        return
      }
    }
  }
}
