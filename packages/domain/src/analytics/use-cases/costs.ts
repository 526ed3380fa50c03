import { DateTime, Effect } from "effect"
import { addDays, type Currency, startOfDay, useCase } from "../../kernel/index.ts"
import { type ChatAccountId, ChatAccounts } from "../../messaging/chat/index.ts"
import { type ChargeTally, loadCostCounter, MessageCharges, type MessageCost } from "../../messaging/inbox/index.ts"
import { Organizations } from "../../platform/identity/index.ts"
import type { CostDimension, Costs } from "../Costs.ts"
import { groupDaysByBucket } from "../Series.ts"
import { type DateRange, resolveRange, type RangeRequest } from "../reading/dateRanges.ts"
import { accountScope } from "../reading/rollupReader.ts"

/** Requested days, dimension and currency. */
export interface CostsRequest extends RangeRequest {
  readonly by: CostDimension
  /** Default: the organization's currency. */
  readonly currency?: Currency
  readonly chatAccountId?: ChatAccountId
}

type TimeDimension = Extract<CostDimension, "day" | "week" | "month">
type FactDimension = Exclude<CostDimension, TimeDimension>

const isTime = (by: CostDimension): by is TimeDimension => by === "day" || by === "week" || by === "month"

const factOf: Readonly<Record<FactDimension, (tally: ChargeTally) => string | null>> = {
  category: ({ category }) => category,
  country: ({ country }) => country,
  chat_account: ({ chatAccountId }) => chatAccountId
}

type Row = Costs["rows"][number]

/** Highest amount first. Rows with equal amounts are ordered by their messages, then by their keys. */
const compareRows = (one: Row, other: Row) =>
  other.amount - one.amount || other.messages - one.messages || ((one.key ?? "") < (other.key ?? "") ? -1 : 1)

const toFactRows = (
  by: FactDimension,
  tallies: ReadonlyArray<ChargeTally>,
  count: (tallies: Iterable<ChargeTally>) => MessageCost
): ReadonlyArray<Row> =>
  Array.from(Map.groupBy(tallies, factOf[by]), ([key, mine]) => ({ key, name: null, ...count(mine) })).toSorted(
    compareRows
  )

const toTimeRows = (
  buckets: ReadonlyArray<DateRange["dates"]>,
  tallies: ReadonlyArray<ChargeTally>,
  count: (tallies: Iterable<ChargeTally>) => MessageCost
): ReadonlyArray<Row> => {
  const byRange = Map.groupBy(tallies, ({ range }) => range)
  return buckets.map(([first = null], index) => ({ key: first, name: null, ...count(byRange.get(index) ?? []) }))
}

/** Adds the names of chat accounts. Removed accounts have names too. */
const nameAccounts = Effect.fnUntraced(function* (rows: ReadonlyArray<Row>) {
  const accounts = yield* ChatAccounts
  const ids = rows.flatMap(({ key }) => (key === null ? [] : [key as ChatAccountId]))
  const current = yield* accounts.find(ids)
  const removed = current.length === ids.length ? [] : yield* accounts.removed()
  const names = new Map<string, string>(
    [...removed.map(({ account }) => account), ...current].map(({ displayName, id }) => [id, displayName])
  )
  return rows.map((row) => ({ ...row, name: names.get(row.key ?? "") ?? null }))
})

/** Reads the costs of delivered messages by a dimension. Rates that are imported later also apply to earlier messages. */
export const readCosts = useCase(
  { name: "analytics.costs", access: { permission: "analytics.read" } },
  Effect.fnUntraced(function* ({ by, chatAccountId, currency, ...request }: CostsRequest) {
    const { timezone } = yield* (yield* Organizations).current()
    const [now, zone] = [yield* DateTime.now, DateTime.zoneMakeNamedUnsafe(timezone)]
    const { dates, from, to } = yield* resolveRange(request, { now, zone })
    yield* accountScope(chatAccountId)
    const count = yield* loadCostCounter(currency)
    const buckets = isTime(by) ? groupDaysByBucket(dates, by) : []
    const tallies = yield* (yield* MessageCharges).tally(
      {
        kind: "period",
        from: startOfDay(from, zone),
        to: startOfDay(addDays(to, 1), zone),
        chatAccountId: chatAccountId ?? null
      },
      buckets.flatMap(([first]) => (first === undefined ? [] : [startOfDay(first, zone)]))
    )
    const rows = isTime(by) ? toTimeRows(buckets, tallies, count) : toFactRows(by, tallies, count)
    const costs: Costs = {
      timezone,
      from,
      to,
      asOf: now,
      by,
      total: count(tallies),
      rows: by === "chat_account" ? yield* nameAccounts(rows) : rows
    }
    return costs
  })
)
