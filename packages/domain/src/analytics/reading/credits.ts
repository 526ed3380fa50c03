import { Effect } from "effect"
import { type BroadcastCredit, type BroadcastId, noCredit, type VariantKey } from "../../campaigns/index.ts"
import { Currency } from "../../kernel/index.ts"
import type { Edition } from "../AnalyticsBooks.ts"
import { AnalyticsFigures } from "../AnalyticsFigures.ts"
import { reading } from "./reading.ts"

const orders = "commerce.attributedOrders."
const money = "commerce.attributed."

const figures = "commerce.attributed"

interface Sum {
  readonly figure: string
  readonly amount: number
}

const creditOf = (sums: ReadonlyArray<Sum>): BroadcastCredit => ({
  attributedOrders: sums.reduce((sum, { amount, figure }) => (figure.startsWith(orders) ? sum + amount : sum), 0),
  attributed: sums
    .filter(({ figure }) => figure.startsWith(money))
    .map(({ amount, figure }) => ({ amountMinor: amount, currency: Currency.make(figure.slice(money.length)) }))
    .toSorted((one, other) => (one.currency < other.currency ? -1 : 1))
})

/** Orders attributed to broadcasts, with net amounts in each currency. */
export const readCredits = Effect.fnUntraced(function* (edition: Edition, ids: ReadonlyArray<BroadcastId>) {
  const sums = yield* (yield* AnalyticsFigures).totals(edition, ids, figures)
  const byBroadcast = Map.groupBy(sums, ({ scope }) => scope)
  return new Map(Array.from(byBroadcast, ([id, own]): readonly [string, BroadcastCredit] => [id, creditOf(own)]))
})

/** Orders attributed to one broadcast and to each of its variants. */
export const readBroadcastCredits = (id: BroadcastId) =>
  reading(
    Effect.fnUntraced(function* ({ edition }) {
      const total = (yield* readCredits(edition, [id])).get(id) ?? noCredit
      const sums = total === noCredit ? [] : yield* (yield* AnalyticsFigures).variantTotals(edition, id, figures)
      const byVariant = Map.groupBy(sums, ({ variant }) => variant)
      return {
        total,
        byVariant: new Map(
          Array.from(byVariant, ([key, own]): readonly [VariantKey, BroadcastCredit] => [key, creditOf(own)])
        )
      }
    })
  )
