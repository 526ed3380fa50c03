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

/** Wakes the lane owner of the account. */
export const scheduleBroadcastLane = Effect.fnUntraced(function* (key: ChatAccountId) {
  yield* (yield* Lanes).open({ task: sendTaskName, key, priority: "bulk", dueAt: yield* DateTime.now })
})

const encode = Schema.encodeSync(Broadcast)

/** Returns the audited fields of a broadcast: its definition, its status, and a pause that the provider caused. */
export const broadcastAuditFields = (broadcast: Broadcast): Readonly<Record<string, Schema.Json>> => {
  const written = encode(broadcast)
  const { pause, status } = written
  const definition = Object.fromEntries(definitionFields.map((field) => [field, written[field]]))
  return { ...definition, status, ...(pause?.refusal !== undefined && { pause }) }
}

/** Fields that change with the status. */
type Change = Partial<Omit<Broadcast, "id" | "status" | "stats" | "version">>

/**
 * Moves a locked broadcast to the next status, publishes the event and notifies the lane owner. The audit trail records `action` for changes by
 * members. `reason` adds details that the status does not show.
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
  const refusal = moved.pause?.refusal
  yield* appendEvent({
    type: "broadcast.status_changed",
    broadcastId: id,
    from,
    to: status,
    reason,
    ...(refusal !== undefined && { refusal })
  })
  if (moved.chatAccountId !== null) yield* scheduleBroadcastLane(moved.chatAccountId)
  return moved
})

/** Pauses a locked sending broadcast as the service. Only a member can resume it. */
export const pauseLockedBroadcast = Effect.fnUntraced(function* (
  broadcast: Broadcast,
  reason: Exclude<BroadcastPause["reason"], "user">
) {
  const pause = { reason, at: yield* DateTime.now, by: null }
  return yield* transitionBroadcast(broadcast, "pause", { action: null, change: { pause, waiting: null }, reason })
})

/**
 * Handles a locked broadcast of a possibly suspended organization. Without a suspension, nothing changes. During one, a sending broadcast is paused.
 * A scheduled one waits until the organization is active or its time has passed.
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

/** Publishes the progress of a broadcast in a unit of work. */
export const publishProgress = Effect.fnUntraced(function* (id: BroadcastId) {
  yield* (yield* RecipientLedger).tell(id, yield* DateTime.now)
  const { stats } = yield* (yield* Broadcasts).get(id)
  yield* appendEvent({ type: "broadcast.progressed", broadcastId: id, stats })
})
