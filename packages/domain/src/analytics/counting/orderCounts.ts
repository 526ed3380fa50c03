import type { BroadcastId } from "../../campaigns/index.ts"
import type { GrossChange } from "../../commerce/index.ts"
import type { CountedOrder } from "../AnalyticsRecords.ts"
import { type Count, type CountedFigure, once, type Scope, wholeOrganization } from "../Count.ts"
import { quarterOf } from "../time/quarters.ts"

const sumOf = (changes: ReadonlyArray<GrossChange>) => changes.reduce((sum, { amountMinor }) => sum + amountMinor, 0)

/** What was given back, and when. What no refund tells came with the last one; cancelling gives back the rest. */
const givenBackOf = ({
  cancelledAt,
  givenBack,
  gross,
  placedAt,
  refunds
}: CountedOrder): ReadonlyArray<GrossChange> => {
  const untold = { amountMinor: givenBack - sumOf(refunds), at: refunds.at(-1)?.at ?? cancelledAt ?? placedAt }
  const rest = Math.max(0, sumOf(gross) - givenBack)
  return [...refunds, untold, ...(cancelledAt === null ? [] : [{ amountMinor: rest, at: cancelledAt }])]
}

/** What an order counts as, with the broadcast that has the credit for it: that gets what it comes to, less what is given back of it. */
export const orderCounts = (order: CountedOrder, credit: BroadcastId | null): ReadonlyArray<Count> => {
  const { currency, gross, isTest, placedAt } = order
  if (isTest || gross.length === 0) return []
  const money = (figure: CountedFigure, scopes: ReadonlyArray<Scope>, changes: ReadonlyArray<GrossChange>, sign = 1) =>
    changes.map(({ amountMinor, at }) => once(figure, quarterOf(at), scopes, sign * amountMinor))
  const [whole, placed, givenBack] = [[wholeOrganization], quarterOf(placedAt), givenBackOf(order)]
  const counts = [
    once("commerce.orders", placed, whole),
    ...money(`commerce.gross.${currency}`, whole, gross),
    ...money(`commerce.refunded.${currency}`, whole, givenBack)
  ]
  if (credit !== null) {
    const scopes = [wholeOrganization, credit]
    counts.push(
      once(`commerce.attributedOrders.${currency}`, placed, scopes),
      ...money(`commerce.attributed.${currency}`, scopes, gross),
      ...money(`commerce.attributed.${currency}`, scopes, givenBack, -1)
    )
  }
  return counts.filter(({ amount }) => amount !== 0)
}

/** The broadcast that has the credit in what an order was counted as. */
export const creditIn = (counts: ReadonlyArray<Count>): BroadcastId | null => {
  const credited = counts.find(({ figure }) => figure.startsWith("commerce.attributedOrders."))
  return (credited?.scopes.find((scope) => scope !== wholeOrganization) as BroadcastId | undefined) ?? null
}
