import type { DaySum, FigureSum } from "../AnalyticsFigures.ts"
import { type LocalDate, daysBetween } from "../../kernel/index.ts"
import type { Histogram } from "../durations/histogram.ts"

/** What figures come to, each by its steps. */
export type Sums = ReadonlyMap<string, Histogram>

/** Adds up rows by figures and steps. */
export const sumsOf = (rows: Iterable<FigureSum>): Sums => {
  const sums = new Map<string, Map<number, number>>()
  for (const { amounts, figure, steps } of rows) {
    const histogram = sums.get(figure) ?? new Map<number, number>()
    for (const [index, step] of steps.entries()) {
      histogram.set(step, (histogram.get(step) ?? 0) + (amounts[index] ?? 0))
    }
    sums.set(figure, histogram)
  }
  return sums
}

const none: ReadonlyMap<number, number> = new Map()

/** So much of each step of a figure. */
export const histogramOf = (sums: Sums, figure: string): Histogram => sums.get(figure) ?? none

/** What a figure comes to, whatever the steps. */
export const amountOf = (sums: Sums, figure: string): number =>
  Array.from(histogramOf(sums, figure).values()).reduce((sum, amount) => sum + amount, 0)

/** The steps of contacts who were active: how many days ago each was active before, 0 for never. */
const activeContacts = "contacts.active"

/**
 * A day's row as it counts in a range that begins with this day: of the contacts who were active, those count who were not so on an earlier day of
 * the range.
 */
export const withinRange =
  (first: LocalDate) =>
  <Row extends DaySum>(row: Row): Row => {
    if (row.figure !== activeContacts) return row
    const days = daysBetween(first, row.date)
    const amounts = row.amounts.map((amount, index) => {
      const gap = row.steps[index] ?? 0
      return gap === 0 || gap > days ? amount : 0
    })
    return { ...row, amounts }
  }
