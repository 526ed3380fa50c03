import { DateTime, Effect } from "effect"
import type { BroadcastId } from "../../campaigns/index.ts"
import type { GrossChange, OrderId } from "../../commerce/index.ts"
import {
  RollupStore,
  type RollupState,
  type RollupVersion,
  type CountedRecord,
  removedOrdersVersion
} from "../RollupStore.ts"
import { AnalyticsRecords, type CountedOrder } from "../AnalyticsRecords.ts"
import {
  type Count,
  type CountedFigure,
  countOne,
  toQuarterHour,
  RunningTallies,
  type Scope,
  negate,
  toTallies,
  wholeOrganization
} from "../Count.ts"
import { addCounts, recountRecords } from "./addCounts.ts"

const sumOf = (changes: ReadonlyArray<GrossChange>) => changes.reduce((sum, { amountMinor }) => sum + amountMinor, 0)

/** What was given back, and when. What no refund tells came with the last one; cancelling gives back the rest. */
const toRefundChanges = ({
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
const orderCounts = (order: CountedOrder, credit: BroadcastId | null): ReadonlyArray<Count> => {
  const { currency, gross, isTest, placedAt } = order
  if (isTest || gross.length === 0) return []
  const money = (figure: CountedFigure, scopes: ReadonlyArray<Scope>, changes: ReadonlyArray<GrossChange>, sign = 1) =>
    changes.map(({ amountMinor, at }) => countOne(figure, toQuarterHour(at), scopes, sign * amountMinor))
  const [whole, placed, givenBack] = [[wholeOrganization], toQuarterHour(placedAt), toRefundChanges(order)]
  const counts = [
    countOne("commerce.orders", placed, whole),
    ...money(`commerce.gross.${currency}`, whole, gross),
    ...money(`commerce.refunded.${currency}`, whole, givenBack)
  ]
  if (credit !== null) {
    const scopes = [wholeOrganization, credit]
    counts.push(
      countOne(`commerce.attributedOrders.${currency}`, placed, scopes),
      ...money(`commerce.attributed.${currency}`, scopes, gross),
      ...money(`commerce.attributed.${currency}`, scopes, givenBack, -1)
    )
  }
  return counts.filter(({ amount }) => amount !== 0)
}

/** The broadcast that has the credit in what an order was counted as. */
const findCredit = (counts: ReadonlyArray<Count>): BroadcastId | null => {
  const credited = counts.find(({ figure }) => figure.startsWith("commerce.attributedOrders."))
  return (credited?.scopes.find((scope) => scope !== wholeOrganization) as BroadcastId | undefined) ?? null
}

/** How many orders are read at once. */
const orderBatchSize = 1_000

/**
 * For how long after an order was placed its credit is decided anew: recipients are kept for 180 days, and no message has the credit for longer
 * than 30. After it the credit stays as it was counted.
 */
const creditDecisionPeriod = { days: 150 }

/** Orders that were placed before this keep their credit. */
const creditCutoff = (now: DateTime.Utc): DateTime.Utc => DateTime.subtract(now, creditDecisionPeriod)

/** Which broadcast has the credit for each of these orders, by what there is to decide it by. */
export const loadOrderCredits = Effect.fnUntraced(function* (
  standing: RollupVersion,
  orders: ReadonlyArray<CountedOrder>
) {
  const since = creditCutoff(yield* DateTime.now)
  const old = orders.filter(({ placedAt }) => DateTime.isLessThan(placedAt, since))
  const kept = yield* (yield* RollupStore).kept(
    standing,
    old.map(({ id }) => id)
  )
  return new Map(
    orders.map(({ creditKept, id, touchedBy }): readonly [OrderId, BroadcastId | null] => {
      const counted = kept.get(id)
      return [id, creditKept ?? (counted === undefined ? touchedBy : findCredit(counted))]
    })
  )
})

/** Counts orders as they are now; by what the edition that stands says of those whose credit is decided for good. What it comes to is not added yet. */
export const countOrders = Effect.fnUntraced(function* (
  edition: RollupVersion,
  standing: RollupVersion,
  attributionHours: number,
  ids: ReadonlyArray<OrderId>
) {
  const records = yield* AnalyticsRecords
  // Added up as they come, because there may be very many of them.
  const changes = new RunningTallies()
  for (let from = 0; from < ids.length; from += orderBatchSize) {
    const orders = yield* records.orders(ids.slice(from, from + orderBatchSize), attributionHours)
    const credits = yield* loadOrderCredits(standing, orders)
    changes.add(
      yield* recountRecords(
        edition,
        new Map(orders.map((order) => [order.id, orderCounts(order, credits.get(order.id) ?? null)]))
      )
    )
  }
  return changes.sums.map(({ scope, ...tally }): Count => ({ ...tally, scopes: [scope] }))
})

/** Decides anew which broadcasts have the credit for orders, by other hours. */
export const recountOrders = Effect.fnUntraced(function* (
  edition: RollupVersion,
  standing: RollupVersion,
  timezone: string,
  attributionHours: number
) {
  const records = yield* AnalyticsRecords
  const since = creditCutoff(yield* DateTime.now)
  let after: OrderId | null = null
  while (true) {
    const ids: ReadonlyArray<OrderId> = yield* records.ordersAfter(after, orderBatchSize, since)
    yield* addCounts(edition, timezone, yield* countOrders(edition, standing, attributionHours, ids))
    if (ids.length < orderBatchSize) return
    after = ids.at(-1) ?? null
  }
})

/**
 * Takes back the counts that orders have from an earlier connection of their shop, because these orders are counted again now. They keep the credit
 * of that time.
 */
export const replaceRemoved = Effect.fnUntraced(function* (
  { edition, timezone }: Pick<RollupState, "edition" | "timezone">,
  ids: ReadonlyArray<OrderId>
) {
  if (ids.length === 0) return
  const [books, records] = [yield* RollupStore, yield* AnalyticsRecords]
  const origins = yield* records.origins(ids)
  const removed = yield* books.kept(removedOrdersVersion, [...origins.values()])
  if (removed.size === 0) return
  const counts = negate([...removed.values()].flat())
  yield* books.addErased(toTallies(counts))
  yield* addCounts(edition, timezone, counts)
  const credits = [...origins].flatMap(([id, origin]) => {
    const credit = findCredit(removed.get(origin) ?? [])
    return credit === null ? [] : [[id, credit] as const]
  })
  yield* books.keepCredits(new Map(credits))
  yield* books.keep(removedOrdersVersion, new Map([...removed.keys()].map((origin) => [origin, []])))
})

/** Stores the counts of orders that are removed, by origin. */
export const saveRemovedOrders = Effect.fnUntraced(function* (counted: CountedRecord, ids: ReadonlyArray<OrderId>) {
  const origins = yield* (yield* AnalyticsRecords).origins(ids)
  const removed = [...origins].flatMap(([id, origin]) => {
    const counts = counted.get(id)
    return counts === undefined ? [] : [[origin, counts] as const]
  })
  yield* (yield* RollupStore).keep(removedOrdersVersion, new Map(removed))
})
