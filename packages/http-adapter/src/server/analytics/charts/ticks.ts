import { fitted, widthOf } from "./text.ts"

/** A label of the horizontal axis and the position of its value. */
export interface Tick {
  readonly index: number
  readonly label: string
}

/** Distance between two labels. */
const gap = 8

const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000]

/** Every first, second, fifth or tenth label, and so on. */
export const evenTicks = (labels: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<Tick>> =>
  steps.map((step) => labels.flatMap((label, index) => (index % step === 0 ? [{ index, label }] : [])))

/** A label with the middle of its text. */
export interface PlacedTick extends Tick {
  readonly middle: number
}

/** Moves the text of a tick inside of the axis. */
const place = ({ index, label: text }: Tick, x: number, left: number, right: number): PlacedTick => {
  const label = fitted(text, right - left)
  const half = widthOf(label) / 2
  return { index, label, middle: Math.max(left + half, Math.min(x, right - half)) }
}

const areApart = (ticks: ReadonlyArray<PlacedTick>) =>
  ticks.every((tick, index) => {
    const next = ticks[index + 1]
    return next === undefined || next.middle - tick.middle >= (widthOf(tick.label) + widthOf(next.label)) / 2 + gap
  })

/** Selects the first set of labels without an overlap; otherwise the first label. */
export const placeTicks = (
  sets: ReadonlyArray<ReadonlyArray<Tick>>,
  xOf: (index: number) => number,
  left: number,
  right: number
): ReadonlyArray<PlacedTick> => {
  const placed = sets
    .filter((ticks) => ticks.length > 0)
    .map((ticks) => ticks.map((tick) => place(tick, xOf(tick.index), left, right)))
  return placed.find(areApart) ?? placed[0]?.slice(0, 1) ?? []
}
