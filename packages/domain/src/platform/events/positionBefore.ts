import { DateTime, Duration, Effect } from "effect"
import { EventLog } from "./EventLog.ts"

/** Events stand in the order of their commits, which may differ from that of their times by as much as a unit of work lasts. */
const longestUnitOfWork = Duration.minutes(5)

/** A position that everything comes after which happened since then, found by halving the log. */
export const positionBefore = Effect.fnUntraced(function* (since: DateTime.Utc) {
  const log = yield* EventLog
  const from = DateTime.subtractDuration(since, longestUnitOfWork)
  let low = 0
  let high = yield* log.head()
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const [logged] = yield* log.list("all", { after: [String(middle)], limit: 1 })
    if (logged === undefined || !DateTime.isLessThan(logged.at, from)) high = middle
    else low = middle + 1
  }
  return low
})
