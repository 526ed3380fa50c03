import type { FigureChanges, Figures } from "../answers/Figures.ts"
import { changeOf } from "../rounding.ts"

type Changes<Values extends Readonly<Record<string, number | null>>> = {
  readonly [Key in keyof Values]: number | null
}

const changes = <Values extends Readonly<Record<string, number | null>>>(
  current: Values,
  previous: Values
): Changes<Values> =>
  Object.fromEntries(
    Object.entries(current).map(([key, value]) => [key, changeOf(value, previous[key] ?? null)])
  ) as Changes<Values>

/** How much each figure has changed. Both are of the same currencies, in the same order. */
export const changesOf = (current: Figures, previous: Figures): FigureChanges => {
  const [now, before] = [current.messages, previous.messages]
  return {
    conversations: changes(current.conversations, previous.conversations),
    messages: {
      inbound: {
        total: changeOf(now.inbound.total, before.inbound.total),
        byKind: changes(now.inbound.byKind, before.inbound.byKind)
      },
      outbound: {
        total: changeOf(now.outbound.total, before.outbound.total),
        byKind: changes(now.outbound.byKind, before.outbound.byKind),
        byAuthor: changes(now.outbound.byAuthor, before.outbound.byAuthor)
      },
      failed: changeOf(now.failed, before.failed)
    },
    firstResponse: changes(current.firstResponse, previous.firstResponse),
    reply: changes(current.reply, previous.reply),
    resolution: changes(current.resolution, previous.resolution),
    contacts: changes(current.contacts, previous.contacts),
    broadcasts: changes(current.broadcasts, previous.broadcasts),
    commerce: {
      orders: changeOf(current.commerce.orders, previous.commerce.orders),
      revenue: current.commerce.revenue.map(({ currency, ...revenue }, index) => {
        const former = previous.commerce.revenue[index]
        const of = (name: "gross" | "refunded" | "net" | "attributed") =>
          changeOf(revenue[name].amountMinor, former?.[name].amountMinor ?? null)
        return {
          currency,
          gross: of("gross"),
          refunded: of("refunded"),
          net: of("net"),
          attributedOrders: changeOf(revenue.attributedOrders, former?.attributedOrders ?? null),
          attributed: of("attributed")
        }
      })
    }
  }
}
