/** How many of a group did something. */
export interface Share {
  readonly assigned: number
  readonly converted: number
}

/** A range of values, from the lowest to the highest. */
export type Interval = readonly [low: number, high: number]

/** The quantile of the normal distribution for 95 percent, on both sides. */
const z = 1.959_963_984_540_054

/** Wilson's score interval of a proportion. */
const wilson = ({ assigned, converted }: Share): Interval => {
  const part = converted / assigned
  const middle = 2 * converted + z * z
  const spread = z * Math.sqrt(z * z + 4 * converted * (1 - part))
  const scale = 2 * (assigned + z * z)
  return [Math.max(0, (middle - spread) / scale), Math.min(1, (middle + spread) / scale)]
}

/**
 * The 95 percent interval of the difference of two independent proportions by Newcombe's hybrid score, without correction for
 * continuity: method 10 of Newcombe, Statistics in Medicine 17 (1998), 873-890. Nobody may be missing in either group.
 */
export const newcombe = (one: Share, other: Share): Interval => {
  const first = one.converted / one.assigned
  const second = other.converted / other.assigned
  const [lowFirst, highFirst] = wilson(one)
  const [lowSecond, highSecond] = wilson(other)
  return [
    first - second - Math.hypot(first - lowFirst, highSecond - second),
    first - second + Math.hypot(highFirst - first, second - lowSecond)
  ]
}
