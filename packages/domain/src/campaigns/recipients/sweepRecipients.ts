import { DateTime, Effect } from "effect"
import { transact } from "../../kernel/index.ts"
import { BroadcastReports } from "../BroadcastReports.ts"
import { Broadcasts } from "../Broadcasts.ts"
import { ExpiredRecipients } from "../ExpiredRecipients.ts"
import type { BroadcastId } from "../Ids.ts"
import { countReport } from "../report/countReport.ts"

/** How many recipients are deleted at once. */
const stride = 10_000

/** How many broadcasts are looked up at once. */
const batch = 100

/** The report stays when its recipients go, so it is kept before. */
const keepReport = Effect.fnUntraced(function* (id: BroadcastId) {
  const reports = yield* BroadcastReports
  if ((yield* reports.find(id)) !== null) return
  yield* reports.keep(yield* countReport(yield* (yield* Broadcasts).get(id)))
}, transact)

const removeAll = Effect.fnUntraced(function* (id: BroadcastId) {
  const expired = yield* ExpiredRecipients
  yield* keepReport(id)
  while ((yield* transact(expired.remove(id, stride))) >= stride) yield* Effect.yieldNow
  yield* transact(expired.close(id, yield* DateTime.now))
})

/** Deletes the recipients of broadcasts that ended long ago, slice by slice. Their reports and statistics stay. */
export const sweepRecipients = Effect.gen(function* () {
  const expired = yield* ExpiredRecipients
  while (true) {
    const ids = yield* expired.find(yield* DateTime.now, batch)
    for (const id of ids) yield* removeAll(id)
    if (ids.length < batch) return
  }
})
