import { DateTime, Effect } from "effect"
import type { Broadcast, BroadcastFailure } from "../Broadcast.ts"
import { Broadcasts } from "../Broadcasts.ts"
import type { BroadcastId } from "../Ids.ts"
import { moveBroadcast } from "../moveBroadcast.ts"
import { after, type BroadcastTransition, hasEnded } from "../transitions.ts"
import { endPending } from "./endPending.ts"
import { recipientsKept } from "./limits.ts"
import { tellProgress } from "./tellProgress.ts"

/** Whether another call is possible: recipients in flight can return to pending. In-doubt recipients are never sent again. */
export const hasRecipientsLeft = ({ frozenAt, stats }: Broadcast): boolean =>
  frozenAt === null || stats.pending > 0 || stats.inFlight > 0

/** What is said of a change of status. */
type Said = Partial<Omit<Parameters<typeof moveBroadcast>[2], "expected">>

/** Whether anybody of it was ever sent to. */
const hasProgressed = ({ stats: { delivered, failed, inDoubt, inFlight, read, sent } }: Broadcast) =>
  inFlight + inDoubt + sent + delivered + read + failed > 0

const move = Effect.fnUntraced(function* (
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

/** Changes the status of a broadcast. After its end, pending recipients stay unsent. */
export const changeStatus = (id: BroadcastId, transition: Exclude<BroadcastTransition, "fail">, input: Said) =>
  move(id, transition, input)

/** Fails a broadcast that cannot be sent. The type requires a cause. */
export const failBroadcast = (id: BroadcastId, failure: BroadcastFailure) =>
  move(id, "fail", { change: { failure }, reason: failure.code })
