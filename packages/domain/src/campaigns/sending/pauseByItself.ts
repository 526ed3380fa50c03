import { DateTime, Effect } from "effect"
import type { ChatAccountId } from "../../messaging/chat/index.ts"
import { transact } from "../../kernel/index.ts"
import type { BroadcastPause } from "../Broadcast.ts"
import { Broadcasts } from "../Broadcasts.ts"
import type { BroadcastId } from "../Ids.ts"
import { RecipientLedger } from "../RecipientLedger.ts"
import { hasRecipientsLeft } from "./changeStatus.ts"
import { moveByItself } from "./moveByItself.ts"

type Reason = Exclude<BroadcastPause["reason"], "user">

/** Pauses a broadcast until a member resumes it. A broadcast that only waits for open doubts completes without a member. */
export const pauseByItself = Effect.fnUntraced(
  function* (id: BroadcastId, reason: Reason) {
    if (!hasRecipientsLeft(yield* (yield* Broadcasts).lock(id))) return
    const pause = { reason, at: yield* DateTime.now, by: null }
    yield* moveByItself(id, "pause", { change: { pause }, reason })
  },
  transact,
  (effect) => Effect.catchTag(effect, "NotFound", () => Effect.void)
)

/** Pauses all broadcasts of an account that have recipients left. */
export const pauseAllOf = Effect.fnUntraced(function* (account: ChatAccountId, reason: Reason) {
  const active = yield* (yield* RecipientLedger).active(account)
  yield* Effect.forEach(
    active.filter(({ status }) => status === "sending"),
    ({ broadcastId }) => pauseByItself(broadcastId, reason),
    { discard: true }
  )
})
