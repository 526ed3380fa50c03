import { DateTime, Effect } from "effect"
import { record } from "../platform/audit/index.ts"
import { appendEvent } from "./appendEvent.ts"
import { auditedBroadcast } from "./auditedBroadcast.ts"
import { Broadcast } from "./Broadcast.ts"
import { Broadcasts } from "./Broadcasts.ts"
import { openLane } from "./openLane.ts"
import { after, type BroadcastTransition } from "./transitions.ts"

/** What changes of a broadcast with its status. */
type Change = Partial<Omit<Broadcast, "id" | "status" | "stats" | "version">>

/**
 * Takes a locked broadcast to the next status, with its event, and tells whoever sends over its account; what a person did stands in the trail as `action`. `reason` says more
 * than the status does, where there is more to say.
 */
export const moveBroadcast = Effect.fnUntraced(function* (
  before: Broadcast,
  transition: BroadcastTransition,
  {
    action,
    change = {},
    expected = null,
    reason = null
  }: {
    readonly action: string | null
    readonly change?: Change
    readonly expected?: number | null
    readonly reason?: string | null
  }
) {
  const { id, status: from } = before
  const status = yield* after(from, transition)
  const broadcasts = yield* Broadcasts
  const moved = yield* broadcasts.save(
    new Broadcast({ ...before, ...change, status, updatedAt: yield* DateTime.now }),
    expected
  )
  if (action !== null) {
    yield* record(
      action,
      { kind: "broadcast", id },
      { before: auditedBroadcast(before), after: auditedBroadcast(moved) }
    )
  }
  yield* appendEvent({ type: "broadcast.status_changed", broadcastId: id, from, to: status, reason })
  if (moved.chatAccountId !== null) yield* openLane(moved.chatAccountId)
  return moved
})
