import { Effect } from "effect"
import type { BroadcastId } from "../../campaigns/index.ts"
import { Currency } from "../../kernel/index.ts"
import type { Edition } from "../AnalyticsBooks.ts"
import { AnalyticsFigures } from "../AnalyticsFigures.ts"
import type { BroadcastRow } from "../answers/BroadcastFigures.ts"

type Credit = Pick<BroadcastRow, "attributedOrders" | "attributed">

/** That of a broadcast after which nobody has ordered. */
export const noCredit: Credit = { attributedOrders: 0, attributed: [] }

const orders = "commerce.attributedOrders."
const money = "commerce.attributed."

/** The orders that broadcasts have the credit for, and what they come to in each currency. */
export const readCredits = Effect.fnUntraced(function* (edition: Edition, ids: ReadonlyArray<BroadcastId>) {
  const sums = yield* (yield* AnalyticsFigures).totals(edition, ids, "commerce.attributed")
  return new Map(
    Array.from(
      Map.groupBy(sums, ({ scope }) => scope),
      ([id, own]): readonly [string, Credit] => [
        id,
        {
          attributedOrders: own.reduce(
            (sum, { amount, figure }) => (figure.startsWith(orders) ? sum + amount : sum),
            0
          ),
          attributed: own
            .filter(({ figure }) => figure.startsWith(money))
            .map(({ amount, figure }) => ({ amountMinor: amount, currency: Currency.make(figure.slice(money.length)) }))
            .toSorted((one, other) => (one.currency < other.currency ? -1 : 1))
        }
      ]
    )
  )
})
