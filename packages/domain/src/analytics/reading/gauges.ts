import { amountOf, type Sums } from "./sums.ts"

/** What was open, and who waited, at the end of something. */
export interface Gauges {
  readonly open: number
  readonly waiting: number
}

/** The figures that are kept as differences: what they are at an end is all that was added before. */
export const gaugeFigures = ["conversations.open", "conversations.waiting"] as const

/** What there was before, as it was read. */
export const gaugesOf = (before: ReadonlyMap<string, number>): Gauges => {
  const [open, waiting] = gaugeFigures.map((figure) => before.get(figure) ?? 0)
  return { open: open ?? 0, waiting: waiting ?? 0 }
}

/** What there was at an end: what there was before, and what was added since. */
export const gaugesAfter = ({ open, waiting }: Gauges, sums: Sums): Gauges => {
  const [opened, waited] = gaugeFigures.map((figure) => amountOf(sums, figure))
  return { open: open + (opened ?? 0), waiting: waiting + (waited ?? 0) }
}
