import { type Currency, daysBetween, type LocalDate } from "../../kernel/index.ts"
import type { DaySum, FigureSum } from "../AnalyticsFigures.ts"
import { toDurationFigures, type Histogram } from "../Count.ts"
import { CountedAuthor, CountedKind, type Figures, type RevenueFigures } from "../Figures.ts"
import { toRate } from "./figureChanges.ts"

/** What figures come to, each by its steps. */
export type FigureSums = ReadonlyMap<string, Histogram>

/** Adds up rows by figures and steps. */
export const sumFigures = (rows: Iterable<FigureSum>): FigureSums => {
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
export const histogramOf = (sums: FigureSums, figure: string): Histogram => sums.get(figure) ?? none

/** What a figure comes to, whatever the steps. */
const amountOf = (sums: FigureSums, figure: string): number =>
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

/** What was open, and who waited, at the end of something. */
export interface Gauges {
  readonly open: number
  readonly waiting: number
}

/** The figures that are kept as differences: what they are at an end is all that was added before. */
export const gaugeFigures = ["conversations.open", "conversations.waiting"] as const

/** What there was before, as it was read. */
export const toGauges = (before: ReadonlyMap<string, number>): Gauges => {
  const [open, waiting] = gaugeFigures.map((figure) => before.get(figure) ?? 0)
  return { open: open ?? 0, waiting: waiting ?? 0 }
}

/** What there was at an end: what there was before, and what was added since. */
export const gaugesAfter = ({ open, waiting }: Gauges, sums: FigureSums): Gauges => {
  const [opened, waited] = gaugeFigures.map((figure) => amountOf(sums, figure))
  return { open: open + (opened ?? 0), waiting: waiting + (waited ?? 0) }
}

const each = <Key extends string>(keys: ReadonlyArray<Key>, valueOf: (key: Key) => number) =>
  Object.fromEntries(keys.map((key) => [key, valueOf(key)])) as Readonly<Record<Key, number>>

const total = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((sum, count) => sum + count, 0)

const makeRevenueFigures =
  (sums: FigureSums) =>
  (currency: Currency): RevenueFigures => {
    const of = (figure: string) => amountOf(sums, `commerce.${figure}.${currency}`)
    const money = (amountMinor: number) => ({ amountMinor, currency })
    const [gross, refunded] = [of("gross"), of("refunded")]
    return {
      currency,
      gross: money(gross),
      refunded: money(refunded),
      net: money(gross - refunded),
      attributedOrders: of("attributedOrders"),
      attributed: money(of("attributed"))
    }
  }

/** The currencies that anything is counted in; the organization's own one first, whether anything is or not. */
export const listCurrencies = (sums: FigureSums, own: Currency): ReadonlyArray<Currency> => {
  const found = Array.from(sums.keys()).flatMap((figure) => /^commerce\.\w+\.([A-Z]{3})$/u.exec(figure)?.[1] ?? [])
  return [own, ...[...new Set(found)].filter((currency) => currency !== own).toSorted()]
}

/** The figures of a period from what was counted in it, and from what was open at its end. */
export const toFigures = (
  sums: FigureSums,
  { open, waiting }: Gauges,
  currencies: ReadonlyArray<Currency>
): Figures => {
  const of = (figure: string) => amountOf(sums, figure)
  const durations = (figure: string) => toDurationFigures(histogramOf(sums, figure))
  const inbound = each(CountedKind.literals, (kind) => of(`messages.inbound.byKind.${kind}`))
  const outbound = each(CountedKind.literals, (kind) => of(`messages.outbound.byKind.${kind}`))
  const broadcasts = each(["started", "sent", "delivered", "read", "replied"], (name) => of(`broadcasts.${name}`))
  const { delivered, read, replied, sent } = broadcasts
  return {
    conversations: {
      ...each(["opened", "reopened", "resolved", "resolvedByMachine"], (name) => of(`conversations.${name}`)),
      open,
      waiting
    },
    messages: {
      inbound: { total: total(inbound), byKind: inbound },
      outbound: {
        total: total(outbound),
        byKind: outbound,
        byAuthor: each(CountedAuthor.literals, (author) => of(`messages.outbound.byAuthor.${author}`))
      },
      failed: of("messages.failed")
    },
    firstResponse: durations("firstResponse"),
    reply: durations("reply"),
    resolution: durations("resolution"),
    contacts: each(["new", "imported", "active", "unsubscribed"], (name) => of(`contacts.${name}`)),
    broadcasts: {
      ...broadcasts,
      deliveredRate: toRate(delivered, sent),
      readRate: toRate(read, delivered),
      repliedRate: toRate(replied, delivered)
    },
    commerce: { orders: of("commerce.orders"), revenue: currencies.map(makeRevenueFigures(sums)) }
  }
}
