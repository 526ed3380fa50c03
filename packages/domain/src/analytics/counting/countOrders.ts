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

/** Returns the refunded amounts with their times. An amount without a refund record belongs to the last refund; a cancellation refunds the rest. */
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

/** Returns the counts of an order. The attributed broadcast gets its value less refunds. */
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

/** Returns the attributed broadcast in the counts of an order. */
const findCredit = (counts: ReadonlyArray<Count>): BroadcastId | null => {
  const credited = counts.find(({ figure }) => figure.startsWith("commerce.attributedOrders."))
  return (credited?.scopes.find((scope) => scope !== wholeOrganization) as BroadcastId | undefined) ?? null
}

/** Batch size of orders. */
const orderBatchSize = 1_000

/**
 * Time after an order to recalculate its attribution. Recipients are retained for 180 days, and no message is
 * attributed after more than 30 days. Later, the counted attribution stays.
 */
const creditDecisionPeriod = { days: 150 }

/** Returns the time before which orders keep their attribution. */
const creditCutoff = (now: DateTime.Utc): DateTime.Utc => DateTime.subtract(now, creditDecisionPeriod)

/** Revenue attribution: returns the broadcast that gets the value of each order, from the available data. */
export const loadOrderCredits = Effect.fnUntraced(function* (
  currentVersion: RollupVersion,
  orders: ReadonlyArray<CountedOrder>
) {
  const since = creditCutoff(yield* DateTime.now)
  const old = orders.filter(({ placedAt }) => DateTime.isLessThan(placedAt, since))
  const kept = yield* (yield* RollupStore).kept(
    currentVersion,
    old.map(({ id }) => id)
  )
  return new Map(
    orders.map(({ keptAttribution, id, touchedBy }): readonly [OrderId, BroadcastId | null] => {
      const counted = kept.get(id)
      return [id, keptAttribution ?? (counted === undefined ? touchedBy : findCredit(counted))]
    })
  )
})

/** Counts the current orders. Orders with a final attribution take it from the current rollup version. The caller adds the result. */
export const countOrders = Effect.fnUntraced(function* (
  version: RollupVersion,
  currentVersion: RollupVersion,
  attributionHours: number,
  ids: ReadonlyArray<OrderId>
) {
  const records = yield* AnalyticsRecords
  // Sums incrementally, because an import can have many orders.
  const changes = new RunningTallies()
  for (let from = 0; from < ids.length; from += orderBatchSize) {
    const orders = yield* records.orders(ids.slice(from, from + orderBatchSize), attributionHours)
    const credits = yield* loadOrderCredits(currentVersion, orders)
    changes.add(
      yield* recountRecords(
        version,
        new Map(orders.map((order) => [order.id, orderCounts(order, credits.get(order.id) ?? null)]))
      )
    )
  }
  return changes.sums.map(({ scope, ...tally }): Count => ({ ...tally, scopes: [scope] }))
})

/** Recalculates the attribution of orders with another number of hours. */
export const recountOrders = Effect.fnUntraced(function* (
  version: RollupVersion,
  currentVersion: RollupVersion,
  timezone: string,
  attributionHours: number
) {
  const records = yield* AnalyticsRecords
  const since = creditCutoff(yield* DateTime.now)
  let after: OrderId | null = null
  while (true) {
    const ids: ReadonlyArray<OrderId> = yield* records.ordersAfter(after, orderBatchSize, since)
    yield* addCounts(version, timezone, yield* countOrders(version, currentVersion, attributionHours, ids))
    if (ids.length < orderBatchSize) return
    after = ids.at(-1) ?? null
  }
})

/** Cancels the counts of these orders from an earlier connection of their shop, because they are counted again. Their attribution stays. */
export const replaceRemoved = Effect.fnUntraced(function* (
  { version, timezone }: Pick<RollupState, "version" | "timezone">,
  ids: ReadonlyArray<OrderId>
) {
  if (ids.length === 0) return
  const [rollups, records] = [yield* RollupStore, yield* AnalyticsRecords]
  const origins = yield* records.origins(ids)
  const removed = yield* rollups.kept(removedOrdersVersion, [...origins.values()])
  if (removed.size === 0) return
  const counts = negate([...removed.values()].flat())
  yield* rollups.addErased(toTallies(counts))
  yield* addCounts(version, timezone, counts)
  const credits = [...origins].flatMap(([id, origin]) => {
    const credit = findCredit(removed.get(origin) ?? [])
    return credit === null ? [] : [[id, credit] as const]
  })
  yield* rollups.keepAttributions(new Map(credits))
  yield* rollups.keep(removedOrdersVersion, new Map([...removed.keys()].map((origin) => [origin, []])))
})

/** Stores the counts of removed orders by origin. */
export const saveRemovedOrders = Effect.fnUntraced(function* (counted: CountedRecord, ids: ReadonlyArray<OrderId>) {
  const origins = yield* (yield* AnalyticsRecords).origins(ids)
  const removed = [...origins].flatMap(([id, origin]) => {
    const counts = counted.get(id)
    return counts === undefined ? [] : [[origin, counts] as const]
  })
  yield* (yield* RollupStore).keep(removedOrdersVersion, new Map(removed))
})
