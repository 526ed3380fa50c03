/** Remembers what was read for some milliseconds, and shares a read among those who ask at the same time. */
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
