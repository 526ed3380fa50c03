import { type Currency, daysBetween, type LocalDate } from "../../kernel/index.ts"
import type { DaySum, FigureSum } from "../AnalyticsFigures.ts"
import { toDurationFigures, type Histogram } from "../Count.ts"
import { CountedAuthor, CountedKind, type Figures, type RevenueFigures } from "../Figures.ts"
import { toRate } from "./figureChanges.ts"

/** Sums of figures by step. */
export type FigureSums = ReadonlyMap<string, Histogram>

/** Sums rows by figure and step. */
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

/** Returns the sums of a figure by step. */
export const histogramOf = (sums: FigureSums, figure: string): Histogram => sums.get(figure) ?? none

/** Returns the sum of a figure over all steps. */
const amountOf = (sums: FigureSums, figure: string): number =>
  Array.from(histogramOf(sums, figure).values()).reduce((sum, amount) => sum + amount, 0)

/** The step is the number of days since the contact was active before, 0 for never. */
const activeContacts = "contacts.active"

/** Filters a day's rows for a range that starts with its first day. Contacts active on an earlier day of the range do not count again. */
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

/** Open conversations and waiting contacts at an instant. */
export interface Gauges {
  readonly open: number
  readonly waiting: number
}

/** Figures stored as differences. The value at an instant is the sum of all earlier ones. */
export const gaugeFigures = ["conversations.open", "conversations.waiting"] as const

/** Returns the levels before a range. */
export const toGauges = (before: ReadonlyMap<string, number>): Gauges => {
  const [open, waiting] = gaugeFigures.map((figure) => before.get(figure) ?? 0)
  return { open: open ?? 0, waiting: waiting ?? 0 }
}

/** Returns the levels at the end of a range: the levels before it plus its changes. */
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

/** Returns the currencies with counts. The organization's currency is always first. */
export const listCurrencies = (sums: FigureSums, own: Currency): ReadonlyArray<Currency> => {
  const found = Array.from(sums.keys()).flatMap((figure) => /^commerce\.\w+\.([A-Z]{3})$/u.exec(figure)?.[1] ?? [])
  return [own, ...[...new Set(found)].filter((currency) => currency !== own).toSorted()]
}

/** Returns the figures of a period from its counts and the levels at its end. */
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
