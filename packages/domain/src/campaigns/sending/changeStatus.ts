import { DateTime, Effect } from "effect"
import type { Broadcast } from "../Broadcast.ts"
import { Broadcasts } from "../Broadcasts.ts"
import type { BroadcastId } from "../Ids.ts"
import { moveBroadcast } from "../moveBroadcast.ts"
import { after, type BroadcastTransition, hasEnded } from "../transitions.ts"
import { endPending } from "./endPending.ts"
import { recipientsKept } from "./limits.ts"
import { tellProgress } from "./tellProgress.ts"

/** What is said of a change of status. */
type Said = Partial<Omit<Parameters<typeof moveBroadcast>[2], "expected">>

/** Whether anybody of it was ever sent to. */
const hasProgressed = ({ stats: { delivered, failed, inDoubt, inFlight, read, sent } }: Broadcast) =>
  inFlight + inDoubt + sent + delivered + read + failed > 0

/** Takes a broadcast to another status. Once it has ended, nobody who is pending is sent to. */
export const changeStatus = Effect.fnUntraced(function* (
  id: BroadcastId,
  transition: BroadcastTransition,
  { action = null, change = {}, reason = null }: Said
) {
  const before = yield* (yield* Broadcasts).lock(id)
  const isOver = hasEnded(yield* after(before.status, transition))
  if (isOver) yield* endPending(before)
  // The last that is told of it is never behind what it came to.
  if (before.status === "sending" && hasProgressed(before)) yield* tellProgress(id)
  const now = yield* DateTime.now
  const end = isOver ? { endedAt: now, recipientsKeptUntil: DateTime.addDuration(now, recipientsKept) } : {}
  return yield* moveBroadcast(before, transition, {
    action,
    change: { pause: null, waiting: null, ...change, ...end },
    reason
  }).pipe(Effect.catchTag("VersionConflict", Effect.die))
})
