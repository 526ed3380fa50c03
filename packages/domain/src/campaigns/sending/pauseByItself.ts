import { DateTime, Effect } from "effect"
import type { ChatAccountId } from "../../chat/index.ts"
import type { BroadcastPause } from "../Broadcast.ts"
import type { BroadcastId } from "../Ids.ts"
import { RecipientLedger } from "../RecipientLedger.ts"
import { moveByItself } from "./moveByItself.ts"

type Reason = Exclude<BroadcastPause["reason"], "user">

/** Pauses a broadcast because of something that a person has to look at. */
export const pauseByItself = Effect.fnUntraced(function* (id: BroadcastId, reason: Reason) {
  const pause = { reason, at: yield* DateTime.now, by: null }
  yield* moveByItself(id, "pause", { change: { pause }, reason })
})

/** Pauses whatever is sent over the account. */
export const pauseAllOf = Effect.fnUntraced(function* (account: ChatAccountId, reason: Reason) {
  const active = yield* (yield* RecipientLedger).active(account)
  yield* Effect.forEach(
    active.filter(({ status }) => status === "sending"),
    ({ broadcastId }) => pauseByItself(broadcastId, reason),
    { discard: true }
  )
})
