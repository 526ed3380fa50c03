import { DateTime, Effect } from "effect"
import { Organizations } from "../platform/identity/index.ts"
import type { Broadcast, BroadcastPause } from "./Broadcast.ts"
import { moveBroadcast } from "./moveBroadcast.ts"

/** Pauses a locked broadcast that is sending, as the service does it by itself. It goes on when a person resumes it. */
export const pauseByService = Effect.fnUntraced(function* (
  broadcast: Broadcast,
  reason: Exclude<BroadcastPause["reason"], "user">
) {
  const pause = { reason, at: yield* DateTime.now, by: null }
  return yield* moveBroadcast(broadcast, "pause", { action: null, change: { pause, waiting: null }, reason })
})

/**
 * What becomes of a locked broadcast where the organization may be suspended: it goes on as it is, or one that is sending is paused,
 * and one that is scheduled waits until the organization is active again, or its time is over.
 */
export const holdWhereSuspended = Effect.fnUntraced(function* (broadcast: Broadcast) {
  const { status } = yield* (yield* Organizations).current()
  if (status === "active") return { goesOn: true, broadcast }
  return {
    goesOn: false,
    broadcast: broadcast.status === "sending" ? yield* Effect.orDie(pauseByService(broadcast, "suspended")) : broadcast
  }
})
