import { DateTime, Effect, Schema } from "effect"
import type { ChatAccountId } from "../messaging/chat/index.ts"
import { sendTaskName } from "../messaging/inbox/index.ts"
import { recordAudit } from "../platform/audit/index.ts"
import { Lanes } from "../platform/background/index.ts"
import { Organizations } from "../platform/identity/index.ts"
import { Broadcast, type BroadcastPause, definitionFields } from "./Broadcast.ts"
import { Broadcasts } from "./Broadcasts.ts"
import type { BroadcastId } from "./Ids.ts"
import { RecipientLedger } from "./RecipientLedger.ts"
import { nextBroadcastStatus, type BroadcastTransition } from "./broadcastTransitions.ts"
import { appendEvent } from "./events.ts"

/** Has whoever sends over the account look at its broadcasts. */
export const scheduleBroadcastLane = Effect.fnUntraced(function* (key: ChatAccountId) {
  yield* (yield* Lanes).open({ work: sendTaskName, key, priority: "bulk", dueAt: yield* DateTime.now })
})

const encode = Schema.encodeSync(Broadcast)

/** What the audit trail stores of a broadcast: what it says, and where it is. */
export const broadcastAuditFields = (broadcast: Broadcast): Readonly<Record<string, Schema.Json>> => {
  const written = encode(broadcast)
  return { ...Object.fromEntries(definitionFields.map((field) => [field, written[field]])), status: written.status }
}

/** What changes of a broadcast with its status. */
type Change = Partial<Omit<Broadcast, "id" | "status" | "stats" | "version">>

/**
 * Takes a locked broadcast to the next status, with its event, and tells whoever sends over its account; what a person did stands in the trail as `action`. `reason` says more
 * than the status does, where there is more to say.
 */
export const transitionBroadcast = Effect.fnUntraced(function* (
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
  const status = yield* nextBroadcastStatus(from, transition)
  const broadcasts = yield* Broadcasts
  const moved = yield* broadcasts.save(
    new Broadcast({ ...before, ...change, status, updatedAt: yield* DateTime.now }),
    expected
  )
  if (action !== null) {
    yield* recordAudit(
      action,
      { kind: "broadcast", id },
      { before: broadcastAuditFields(before), after: broadcastAuditFields(moved) }
    )
  }
  yield* appendEvent({ type: "broadcast.status_changed", broadcastId: id, from, to: status, reason })
  if (moved.chatAccountId !== null) yield* scheduleBroadcastLane(moved.chatAccountId)
  return moved
})

/** Pauses a locked broadcast that is sending, as the service does it by itself. It goes on when a person resumes it. */
export const pauseLockedBroadcast = Effect.fnUntraced(function* (
  broadcast: Broadcast,
  reason: Exclude<BroadcastPause["reason"], "user">
) {
  const pause = { reason, at: yield* DateTime.now, by: null }
  return yield* transitionBroadcast(broadcast, "pause", { action: null, change: { pause, waiting: null }, reason })
})

/**
 * What becomes of a locked broadcast where the organization may be suspended: it goes on as it is, or one that is sending is paused,
 * and one that is scheduled waits until the organization is active again, or its time is over.
 */
export const holdIfSuspended = Effect.fnUntraced(function* (broadcast: Broadcast) {
  const { status } = yield* (yield* Organizations).current()
  if (status === "active") return { goesOn: true, broadcast }
  return {
    goesOn: false,
    broadcast:
      broadcast.status === "sending" ? yield* Effect.orDie(pauseLockedBroadcast(broadcast, "suspended")) : broadcast
  }
})

/** Says in the log how far a broadcast is, in a unit of work. */
export const publishProgress = Effect.fnUntraced(function* (id: BroadcastId) {
  yield* (yield* RecipientLedger).tell(id, yield* DateTime.now)
  const { stats } = yield* (yield* Broadcasts).get(id)
  yield* appendEvent({ type: "broadcast.progressed", broadcastId: id, stats })
})
