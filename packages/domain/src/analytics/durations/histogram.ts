import type { DurationFigures } from "../answers/Figures.ts"

/** How many durations there are of each step. Histograms are added step by step, so those of days make that of a period. */
export type Histogram = ReadonlyMap<number, number>

/** Up to here, each second is a step of its own. */
const exact = 128
const exactPower = 7
/** From there on, each power of two has so many equal steps. */
const stepsPerPower = 64

/** The step that a duration of whole seconds belongs to. */
export const stepOf = (seconds: number): number => {
  if (seconds < exact) return seconds
  const power = Math.floor(Math.log2(seconds))
  const base = 2 ** power
  return exact + (power - exactPower) * stepsPerPower + Math.floor(((seconds - base) * stepsPerPower) / base)
}

/** What a step stands for: its middle, rounded down. */
export const middleOf = (step: number): number => {
  if (step < exact) return step
  const base = 2 ** (Math.floor((step - exact) / stepsPerPower) + exactPower)
  const width = base / stepsPerPower
  return base + ((step - exact) % stepsPerPower) * width + width / 2
}

/** So many tenths of the durations are this long at most: the one of the nearest rank. */
const atTenths = (sorted: ReadonlyArray<readonly [step: number, count: number]>, total: number, tenths: number) => {
  const rank = Math.ceil((total * tenths) / 10)
  let seen = 0
  for (const [step, count] of sorted) {
    seen += count
    if (seen >= rank) return middleOf(step)
  }
  return null
}

/** How many durations there are, and the middle and the slowest tenth of them. */
export const durationsOf = (histogram: Histogram): DurationFigures => {
  const sorted = [...histogram].toSorted(([one], [other]) => one - other)
  const count = sorted.reduce((sum, [, each]) => sum + each, 0)
  return count === 0
    ? { count, medianSeconds: null, p90Seconds: null }
    : { count, medianSeconds: atTenths(sorted, count, 5), p90Seconds: atTenths(sorted, count, 9) }
}

/** All durations of several histograms. */
export const mergeHistograms = (all: Iterable<Histogram>): Histogram => {
  const merged = new Map<number, number>()
  for (const histogram of all) {
    for (const [step, count] of histogram) merged.set(step, (merged.get(step) ?? 0) + count)
  }
  return merged
}
