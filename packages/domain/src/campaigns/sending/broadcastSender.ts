import { DateTime, Effect } from "effect"
import { SendQueue } from "../../messaging/inbox/index.ts"
import { Organizations } from "../../platform/identity/index.ts"
import type { ChatAccountId } from "../../messaging/chat/index.ts"
import type { Broadcast } from "../Broadcast.ts"
import { Broadcasts } from "../Broadcasts.ts"
import { RecipientLedger } from "../RecipientLedger.ts"
import { tryLimitEvery } from "./limits.ts"
import { nextStep } from "./nextStep.ts"
import { sendBroadcasts } from "./sendBroadcasts.ts"

/** End of the known wait of a broadcast, apart from the due times of recipients. The daily limit is checked again before that. */
const waitsUntil = ({ waiting }: Broadcast, now: DateTime.Utc) => {
  const until = waiting?.reason === "local_time" ? null : (waiting?.until ?? null)
  if (until === null || waiting?.reason !== "daily_limit") return until
  return DateTime.min(until, DateTime.addDuration(now, tryLimitEvery))
}

const latest = (times: ReadonlyArray<DateTime.Utc | null>): DateTime.Utc | null =>
  times
    .filter((time) => time !== null)
    .toSorted(DateTime.Order)
    .at(-1) ?? null

/** When there is something to do for the broadcasts of an account; `null` when there is nothing. */
const nextDue = Effect.fnUntraced(function* (account: ChatAccountId) {
  const active = yield* (yield* RecipientLedger).active(account)
  if (active.length === 0) return null
  const now = yield* DateTime.now
  const broadcasts = yield* Broadcasts
  const organization = yield* (yield* Organizations).current()
  const { restsUntil } = yield* (yield* SendQueue).standing(account)
  const times = yield* Effect.forEach(active, (each) =>
    Effect.match(broadcasts.get(each.broadcastId), {
      onFailure: () => [],
      onSuccess: (broadcast) => {
        // What is left in hand is somebody's who has died.
        if (each.stats.inFlight > 0 || (each.isRecalled && each.status === "sending")) return [now]
        const { at, by } = nextStep(each, broadcast, organization, now)
        const waits = [at, each.status === "sending" ? waitsUntil(broadcast, now) : null, restsUntil]
        return [by, at === null ? null : latest(waits)]
      }
    })
  )
  const [next] = times
    .flat()
    .filter((time) => time !== null)
    .toSorted(DateTime.Order)
  return next ?? null
})

/** Broadcasts, sent by whoever owns their account. */
export const broadcastSender = {
  name: "broadcasts",
  run: sendBroadcasts,
  nextDue
}
