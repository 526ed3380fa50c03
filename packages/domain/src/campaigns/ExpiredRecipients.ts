import { Context, DateTime, Effect } from "effect"
import { type TenantScoped, transact, type Transaction } from "../kernel/index.ts"
import { Broadcasts } from "./Broadcasts.ts"
import type { BroadcastId } from "./Ids.ts"
import { BroadcastReports } from "./report/BroadcastReport.ts"
import { buildBroadcastReport } from "./report/buildBroadcastReport.ts"

/** The recipients of the organization's broadcasts that are kept longer than they have to be. */
export class ExpiredRecipients extends Context.Service<
  ExpiredRecipients,
  TenantScoped<{
    /** Up to `limit` broadcasts whose recipients were to go by now and are still there, those that waited longest first. */
    readonly find: (now: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<BroadcastId>>
    /** Deletes recipients of a broadcast, at most `limit` of them, and says how many. Its statistics stay. */
    readonly remove: (id: BroadcastId, limit: number) => Effect.Effect<number, never, Transaction>
    /** Notes that none are left. */
    readonly close: (id: BroadcastId, now: DateTime.Utc) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/campaigns/ExpiredRecipients") {}

/** How many recipients are deleted at once. */
const recipientBatchSize = 10_000

/** How many broadcasts are looked up at once. */
const batch = 100

/** The report stays when its recipients go, so it is kept before. */
const saveReport = Effect.fnUntraced(function* (id: BroadcastId) {
  const reports = yield* BroadcastReports
  if ((yield* reports.find(id)) !== null) return
  yield* reports.keep(yield* buildBroadcastReport(yield* (yield* Broadcasts).get(id)))
}, transact)

const removeRecipients = Effect.fnUntraced(function* (id: BroadcastId) {
  const expired = yield* ExpiredRecipients
  yield* saveReport(id)
  while ((yield* transact(expired.remove(id, recipientBatchSize))) >= recipientBatchSize) yield* Effect.yieldNow
  yield* transact(expired.close(id, yield* DateTime.now))
})

/** Deletes the recipients of broadcasts that ended long ago, slice by slice. Their reports and statistics stay. */
export const sweepRecipients = Effect.gen(function* () {
  const expired = yield* ExpiredRecipients
  while (true) {
    const ids = yield* expired.find(yield* DateTime.now, batch)
    for (const id of ids) yield* removeRecipients(id)
    if (ids.length < batch) return
  }
})
