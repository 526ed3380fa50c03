import { Array } from "effect"

/** Draws that are the same whenever the seed is. */
export const drawing = (seed: number) => {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  return {
    /** A whole number, both ends included. */
    between,
    chance: (share: number) => next() < share,
    pick: <A>(values: ReadonlyArray<A>): A => Array.getUnsafe(values, between(0, values.length - 1)),
    /** Shuffles in place, because a copy of this many values would be large. */
    shuffle: (values: { [index: number]: number; readonly length: number }) => {
      for (let last = values.length - 1; last > 0; last--) {
        const other = between(0, last)
        const [one = 0, two = 0] = [values[last], values[other]]
        values[last] = two
        values[other] = one
      }
    }
  }
}

export type Drawing = ReturnType<typeof drawing>
