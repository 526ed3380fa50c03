import { DateTime, Effect } from "effect"
import type { BroadcastId } from "../../campaigns/index.ts"
import { RollupStore, type RollupState, type RollupVersion, type CountedRecord } from "../RollupStore.ts"
import {
  AnalyticsRecords,
  type BroadcastOutcome,
  type BroadcastRecord,
  type BroadcastTotals
} from "../AnalyticsRecords.ts"
import { type Count, countOne, wholeOrganization } from "../Count.ts"
import { addCounts, rollupAttributionHours, recountRecords } from "./addCounts.ts"
import { countOrders } from "./countOrders.ts"

const outcomeCounts = (
  { delivered, failed, quarter, read, replied, sent }: BroadcastOutcome,
  scopes: ReadonlyArray<string>
): ReadonlyArray<Count> =>
  [
    countOne("broadcasts.sent", quarter, scopes, sent),
    countOne("broadcasts.delivered", quarter, scopes, delivered),
    countOne("broadcasts.read", quarter, scopes, read),
    countOne("broadcasts.replied", quarter, scopes, replied),
    countOne("messages.outbound.byKind.template", quarter, scopes, sent),
    countOne("messages.outbound.byAuthor.broadcast", quarter, scopes, sent),
    countOne("messages.failed", quarter, scopes, failed)
  ].filter(({ amount }) => amount > 0)

/** Returns the counts of a broadcast, with one part per quarter hour. */
const broadcastCounts = ({ chatAccountId, id, outcomes }: BroadcastRecord): CountedRecord => {
  const scopes = [wholeOrganization, ...(chatAccountId === null ? [] : [chatAccountId]), id]
  return new Map(outcomes.map((outcome) => [`${id}#${outcome.quarter}`, outcomeCounts(outcome, scopes)]))
}

/** Late receipts can empty the quarter hours that recipients were counted in. */
const recountOutcomes = Effect.fnUntraced(function* (
  version: RollupVersion,
  broadcasts: ReadonlyArray<BroadcastRecord>
) {
  const before = yield* (yield* RollupStore).keptParts(
    version,
    broadcasts.map(({ id }) => id)
  )
  const nothing = Array.from(before.keys(), (key): readonly [string, ReadonlyArray<Count>] => [key, []])
  return yield* recountRecords(
    version,
    new Map([...nothing, ...broadcasts.flatMap((broadcast) => [...broadcastCounts(broadcast)])])
  )
})

/**
 * Counts the current recipients of broadcasts. Counts of deleted recipients stay; a rebuild copies them from the current rollup version. The caller
 * adds the result.
 */
export const countBroadcasts = Effect.fnUntraced(function* (
  version: RollupVersion,
  currentVersion: RollupVersion,
  ids: ReadonlyArray<BroadcastId>
) {
  if (ids.length === 0) return []
  const found = yield* (yield* AnalyticsRecords).broadcasts(ids, yield* DateTime.now)
  const changes = yield* recountOutcomes(version, found)
  if (version === currentVersion) return changes
  const there = new Set(found.map(({ id }) => id))
  const gone = ids.filter((id) => !there.has(id))
  return [...changes, ...(yield* recountRecords(version, yield* (yield* RollupStore).keptParts(currentVersion, gone)))]
})

const toTotalsKey = ({ delivered, failed, read, replied, sent }: Omit<BroadcastTotals, "id">) =>
  [sent, delivered, read, replied, failed].join(" ")

/** Returns the counted totals of these broadcasts over all time. */
const loadCountedTotals = Effect.fnUntraced(function* (version: RollupVersion, ids: ReadonlyArray<BroadcastId>) {
  const kept = yield* (yield* RollupStore).keptParts(version, ids)
  const sums = new Map(ids.map((id) => [id as string, { sent: 0, delivered: 0, read: 0, replied: 0, failed: 0 }]))
  for (const [key, counts] of kept) {
    const sum = sums.get(key.split("#")[0] ?? key)
    if (sum === undefined) continue
    for (const { amount, figure } of counts) {
      if (figure === "messages.failed") sum.failed += amount
      if (figure === "broadcasts.sent") sum.sent += amount
      if (figure === "broadcasts.delivered") sum.delivered += amount
      if (figure === "broadcasts.read") sum.read += amount
      if (figure === "broadcasts.replied") sum.replied += amount
    }
  }
  return new Map(Array.from(sums, ([id, sum]) => [id, toTotalsKey(sum)]))
})

/**
 * Counts recipient changes since the last progress event in these rollup versions. Receipts are published in total only, so no event reports the last
 * ones.
 */
export const catchUpBroadcasts = Effect.fnUntraced(function* (
  { version: currentVersion, timezone, ...state }: Pick<RollupState, "version" | "timezone" | "attributionHours">,
  versions: ReadonlyArray<RollupVersion>
) {
  const records = yield* AnalyticsRecords
  const now = yield* DateTime.now
  const totals = yield* records.broadcastTotals(now)
  const ids = totals.map(({ id }) => id)
  const counted = yield* Effect.forEach(versions, (version) => loadCountedTotals(version, ids))
  const behind = totals.filter(({ id, ...sum }) => counted.some((sums) => sums.get(id) !== toTotalsKey(sum)))
  if (behind.length === 0) return
  const behindIds = behind.map(({ id }) => id)
  const found = yield* records.broadcasts(behindIds, now)
  const hours = yield* rollupAttributionHours(state)
  for (const version of versions) {
    const orderIds = yield* records.ordersTouchedBy(behindIds, hours, version)
    const ofOrders = yield* countOrders(version, currentVersion, hours, orderIds)
    yield* addCounts(version, timezone, [...(yield* recountOutcomes(version, found)), ...ofOrders])
  }
})
