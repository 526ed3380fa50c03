import { Context, DateTime, Effect } from "effect"
import { type TenantScoped, transact, type Transaction } from "../kernel/index.ts"
import { Broadcasts } from "./Broadcasts.ts"
import type { BroadcastId } from "./Ids.ts"
import { BroadcastReports } from "./report/BroadcastReport.ts"
import { buildBroadcastReport } from "./report/buildBroadcastReport.ts"

/** Recipients of the organization's broadcasts after their retention time. */
export class ExpiredRecipients extends Context.Service<
  ExpiredRecipients,
  TenantScoped<{
    /** Finds up to `limit` broadcasts with expired recipients, longest expired first. */
    readonly find: (now: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<BroadcastId>>
    /** Deletes at most `limit` recipients of a broadcast and returns their number. The statistics stay. */
    readonly remove: (id: BroadcastId, limit: number) => Effect.Effect<number, never, Transaction>
    /** Marks the broadcast as free of recipients. */
    readonly close: (id: BroadcastId, now: DateTime.Utc) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/campaigns/ExpiredRecipients") {}

/** Recipients deleted in one unit of work. */
const recipientBatchSize = 10_000

/** Batch size of broadcasts. */
const batch = 100

/** The report outlives the recipients, so it is stored before their deletion. */
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

/** Deletes the recipients of broadcasts that ended long ago, in batches. Reports and statistics stay. */
export const sweepRecipients = Effect.gen(function* () {
  const expired = yield* ExpiredRecipients
  while (true) {
    const ids = yield* expired.find(yield* DateTime.now, batch)
    for (const id of ids) yield* removeRecipients(id)
    if (ids.length < batch) return
  }
})
