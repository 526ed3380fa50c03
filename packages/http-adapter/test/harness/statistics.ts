import { Effect } from "effect"

interface Ranked {
  readonly value: number
  readonly isFirst: boolean
}

/** Abramowitz and Stegun 7.1.26. */
const erf = (x: number) => {
  const t = 1 / (1 + 0.3275911 * Math.abs(x))
  const y =
    1 -
    ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t * Math.exp(-x * x)
  return x < 0 ? -y : y
}

/** Probability that two samples of one distribution differ this much: the two-sided Mann-Whitney test. */
export const mannWhitney = (first: ReadonlyArray<number>, second: ReadonlyArray<number>): number => {
  const all: ReadonlyArray<Ranked> = [
    ...first.map((value) => ({ value, isFirst: true })),
    ...second.map((value) => ({ value, isFirst: false }))
  ].toSorted((one, other) => one.value - other.value)
  let rankSum = 0
  let ties = 0
  for (let start = 0; start < all.length;) {
    let end = start
    while (end < all.length && all[end]?.value === all[start]?.value) end++
    const count = end - start
    const rank = (start + 1 + end) / 2
    for (let index = start; index < end; index++) if (all[index]?.isFirst === true) rankSum += rank
    ties += count ** 3 - count
    start = end
  }
  const [n1, n2] = [first.length, second.length]
  const n = n1 + n2
  const u = rankSum - (n1 * (n1 + 1)) / 2
  const sigma = Math.sqrt(((n1 * n2) / 12) * (n + 1 - ties / (n * (n - 1))))
  return sigma === 0 ? 1 : 1 - erf(Math.abs(u - (n1 * n2) / 2) / sigma / Math.SQRT2)
}

const timed = <E, R>(effect: Effect.Effect<unknown, E, R>) =>
  Effect.suspend(() => {
    const start = performance.now()
    return Effect.map(effect, () => performance.now() - start)
  })

/** Probability that two operations take the same time: tried in turns, in changing order, after a few warm-up tries. */
export const compareTimes = Effect.fnUntraced(function* <E, R>(
  rounds: number,
  first: (round: number) => Effect.Effect<unknown, E, R>,
  second: (round: number) => Effect.Effect<unknown, E, R>
) {
  const [firsts, seconds]: [Array<number>, Array<number>] = [[], []]
  const warmUp = Math.ceil(rounds / 10)
  for (let round = 0; round < rounds + warmUp; round++) {
    const isEven = round % 2 === 0
    const one = yield* timed(isEven ? first(round) : second(round))
    const other = yield* timed(isEven ? second(round) : first(round))
    if (round < warmUp) continue
    firsts.push(isEven ? one : other)
    seconds.push(isEven ? other : one)
  }
  return mannWhitney(firsts, seconds)
})

/** The largest of at most three measurements: noise of the machine may separate two samples once, but not every time. */
export const atBest = Effect.fnUntraced(function* <E, R>(
  measure: (attempt: number) => Effect.Effect<number, E, R>,
  enough: number
) {
  let best = 0
  for (let attempt = 0; attempt < 3 && best <= enough; attempt++) best = Math.max(best, yield* measure(attempt))
  return best
})
