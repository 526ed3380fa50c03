/** Caches a read for some milliseconds, and shares it among concurrent callers. */
export const remembered = <A>(millis: number, read: (key: string) => Promise<A>) => {
  const entries = new Map<string, { readonly value: Promise<A>; readonly until: number }>()
  return (key: string, now: number): Promise<A> => {
    const known = entries.get(key)
    if (known !== undefined && now < known.until) return known.value
    const value = read(key)
    entries.set(key, { value, until: now + millis })
    return value
  }
}
