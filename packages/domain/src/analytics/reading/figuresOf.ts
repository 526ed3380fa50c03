import { CountedAuthor, CountedKind, type Figures, type RevenueFigures } from "../answers/Figures.ts"
import { durationsOf } from "../durations/histogram.ts"
import type { Currency } from "../../kernel/index.ts"
import { rateOf } from "../rounding.ts"
import type { Gauges } from "./gauges.ts"
import { amountOf, histogramOf, type Sums } from "./sums.ts"

const each = <Key extends string>(keys: ReadonlyArray<Key>, valueOf: (key: Key) => number) =>
  Object.fromEntries(keys.map((key) => [key, valueOf(key)])) as Readonly<Record<Key, number>>

const total = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((sum, count) => sum + count, 0)

const revenueOf =
  (sums: Sums) =>
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
export const currenciesOf = (sums: Sums, own: Currency): ReadonlyArray<Currency> => {
  const found = Array.from(sums.keys()).flatMap((figure) => /^commerce\.\w+\.([A-Z]{3})$/u.exec(figure)?.[1] ?? [])
  return [own, ...[...new Set(found)].filter((currency) => currency !== own).toSorted()]
}

/** The figures of a period from what was counted in it, and from what was open at its end. */
export const figuresOf = (sums: Sums, { open, waiting }: Gauges, currencies: ReadonlyArray<Currency>): Figures => {
  const of = (figure: string) => amountOf(sums, figure)
  const durations = (figure: string) => durationsOf(histogramOf(sums, figure))
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
      deliveredRate: rateOf(delivered, sent),
      readRate: rateOf(read, delivered),
      repliedRate: rateOf(replied, delivered)
    },
    commerce: { orders: of("commerce.orders"), revenue: currencies.map(revenueOf(sums)) }
  }
}
