/** Numbers that look random and are the same for the same seed. */
export const drawsOf = (seed: number) => {
  let state = Math.imul(seed, 2_654_435_761) >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return (below: number) => Math.floor(next() * below)
}

export type Draw = ReturnType<typeof drawsOf>
