import type { FigureChanges, Figures } from "../Figures.ts"

/** Divides integers and rounds half away from zero. */
const divideRounded = (dividend: bigint, divisor: bigint): number => {
  const isNegative = dividend < 0n !== divisor < 0n
  const [over, under] = [dividend < 0n ? -dividend : dividend, divisor < 0n ? -divisor : divisor]
  const rounded = Number((2n * over + under) / (2n * under))
  return isNegative && rounded !== 0 ? -rounded : rounded
}

const rateScale = 10_000
const tenthsOfPercent = 1_000n
const tenths = 10

/** Returns a share with four decimals; `null` if `all` is 0. */
export const toRate = (some: number, all: number): number | null =>
  all === 0 ? null : divideRounded(BigInt(some) * BigInt(rateScale), BigInt(all)) / rateScale

/** Converts a value with at most four decimals to an integer. */
const toScaled = (value: number) => BigInt(Math.round(value * rateScale))

/** Returns the change from the previous value in percent with one decimal; `null` if that was absent or 0. */
export const toPercentChange = (current: number | null, previous: number | null): number | null => {
  if (current === null || previous === null || previous === 0) return null
  const size = toScaled(Math.abs(previous))
  return divideRounded((toScaled(current) - toScaled(previous)) * tenthsOfPercent, size) / tenths
}

type ValueChanges<Values extends Readonly<Record<string, number | null>>> = {
  readonly [Key in keyof Values]: number | null
}

const toValueChanges = <Values extends Readonly<Record<string, number | null>>>(
  current: Values,
  previous: Values
): ValueChanges<Values> =>
  Object.fromEntries(
    Object.entries(current).map(([key, value]) => [key, toPercentChange(value, previous[key] ?? null)])
  ) as ValueChanges<Values>

/** Returns the change of each figure. Both inputs have the same currencies in the same order. */
export const toFigureChanges = (current: Figures, previous: Figures): FigureChanges => {
  const [now, before] = [current.messages, previous.messages]
  return {
    conversations: toValueChanges(current.conversations, previous.conversations),
    messages: {
      inbound: {
        total: toPercentChange(now.inbound.total, before.inbound.total),
        byKind: toValueChanges(now.inbound.byKind, before.inbound.byKind)
      },
      outbound: {
        total: toPercentChange(now.outbound.total, before.outbound.total),
        byKind: toValueChanges(now.outbound.byKind, before.outbound.byKind),
        byAuthor: toValueChanges(now.outbound.byAuthor, before.outbound.byAuthor)
      },
      failed: toPercentChange(now.failed, before.failed)
    },
    firstResponse: toValueChanges(current.firstResponse, previous.firstResponse),
    reply: toValueChanges(current.reply, previous.reply),
    resolution: toValueChanges(current.resolution, previous.resolution),
    contacts: toValueChanges(current.contacts, previous.contacts),
    broadcasts: toValueChanges(current.broadcasts, previous.broadcasts),
    commerce: {
      orders: toPercentChange(current.commerce.orders, previous.commerce.orders),
      revenue: current.commerce.revenue.map(({ currency, ...revenue }, index) => {
        const former = previous.commerce.revenue[index]
        const of = (name: "gross" | "refunded" | "net" | "attributed") =>
          toPercentChange(revenue[name].amountMinor, former?.[name].amountMinor ?? null)
        return {
          currency,
          gross: of("gross"),
          refunded: of("refunded"),
          net: of("net"),
          attributedOrders: toPercentChange(revenue.attributedOrders, former?.attributedOrders ?? null),
          attributed: of("attributed")
        }
      })
    }
  }
}
