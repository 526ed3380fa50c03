import type { FigureChanges, Figures } from "../Figures.ts"

/** Divides whole numbers; half is rounded away from zero. */
const divided = (dividend: bigint, divisor: bigint): number => {
  const isNegative = dividend < 0n !== divisor < 0n
  const [over, under] = [dividend < 0n ? -dividend : dividend, divisor < 0n ? -divisor : divisor]
  const rounded = Number((2n * over + under) / (2n * under))
  return isNegative && rounded !== 0 ? -rounded : rounded
}

const rateScale = 10_000
const tenthsOfPercent = 1_000n
const tenths = 10

/** The share of so many of all of these, to four decimals; `null` of nothing. */
export const rateOf = (some: number, all: number): number | null =>
  all === 0 ? null : divided(BigInt(some) * BigInt(rateScale), BigInt(all)) / rateScale

/** A value that has at most four decimals, in whole numbers. */
const scaled = (value: number) => BigInt(Math.round(value * rateScale))

/** How much a value is above a former one, in per cents of that to one decimal; `null` if there was none, or 0. */
export const changeOf = (current: number | null, previous: number | null): number | null => {
  if (current === null || previous === null || previous === 0) return null
  const size = scaled(Math.abs(previous))
  return divided((scaled(current) - scaled(previous)) * tenthsOfPercent, size) / tenths
}

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
