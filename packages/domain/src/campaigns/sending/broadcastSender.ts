import { DateTime, Effect } from "effect"
import { SendQueue } from "../../inbox/index.ts"
import { Organizations } from "../../identity/index.ts"
import type { ChatAccountId } from "../../chat/index.ts"
import { Broadcasts } from "../Broadcasts.ts"
import { RecipientLedger } from "../RecipientLedger.ts"
import { nextStep } from "./nextStep.ts"
import { sendBroadcasts } from "./sendBroadcasts.ts"

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
      onFailure: () => null,
      onSuccess: (broadcast) => {
        const { at } = nextStep(each, broadcast, organization, now)
        const shown = broadcast.waiting?.until ?? null
        // What is left in hand is somebody's who has died.
        if (each.stats.inFlight > 0) return now
        return at !== null && shown !== null && each.status === "sending" ? DateTime.max(at, shown) : at
      }
    })
  )
  const [next] = times.filter((time) => time !== null).toSorted(DateTime.Order)
  if (next === undefined) return null
  return restsUntil === null ? next : DateTime.max(next, restsUntil)
})

/** Broadcasts, sent by whoever owns their account. */
export const broadcastSender = {
  name: "broadcasts",
  run: sendBroadcasts,
  nextDue
}
