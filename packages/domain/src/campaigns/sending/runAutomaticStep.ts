import { Cause, DateTime, Effect } from "effect"
import { transact } from "../../kernel/index.ts"
import { type LaneLease, LaneQueue } from "../../platform/background/index.ts"
import { Broadcast } from "../Broadcast.ts"
import { Broadcasts } from "../Broadcasts.ts"
import type { BroadcastId } from "../Ids.ts"
import { freezeSlice, reserveAudience } from "../RecipientReservations.ts"
import { requireReadyBroadcast } from "../startRequirements.ts"
import {
  changeStatus,
  cancelPending,
  failBroadcast,
  failAutomatically,
  hasRecipientsLeft,
  transitionAutomatically
} from "./changeStatus.ts"
import type { AutomaticStep } from "./nextAutomaticStep.ts"

/** Starts a ready broadcast. Freezing and sending follow. `action` is the audit action of a member. */
export const startBroadcast = Effect.fnUntraced(function* (broadcast: Broadcast, action: string | null) {
  yield* requireReadyBroadcast(broadcast, { startsNow: true })
  if (broadcast.frozenAt === null) yield* reserveAudience(broadcast, yield* DateTime.now)
  return yield* changeStatus(broadcast.id, "send", {
    action,
    change: {
      schedule: broadcast.schedule,
      audienceSnapshotId: broadcast.audienceSnapshotId,
      startedAt: yield* DateTime.now
    }
  })
})

const toBroadcastFailure = (error: { readonly _tag: string; readonly message: string }) => ({
  code: error._tag.replace(/(?<=[a-z])(?=[A-Z])/gu, "_").toLowerCase(),
  detail: error.message
})

/** Fails a scheduled broadcast that cannot be sent. */
const failAtStart = Effect.fnUntraced(function* (
  { id }: Broadcast,
  error: { readonly _tag: string; readonly message: string }
) {
  yield* changeStatus(id, "send", { change: { startedAt: yield* DateTime.now } })
  yield* failBroadcast(id, toBroadcastFailure(error))
}, transact)

/** Starts a due broadcast. It fails if it is not ready, and stays unchanged after a concurrent change. */
const startWhenDue = (broadcast: Broadcast) =>
  transact(startBroadcast(broadcast, null)).pipe(
    Effect.asVoid,
    Effect.catchTags({
      PermissionDenied: (error) => failAtStart(broadcast, error),
      ValidationFailed: (error) => failAtStart(broadcast, error),
      TemplateNotApproved: (error) => failAtStart(broadcast, error),
      ChatAccountDisconnected: (error) => failAtStart(broadcast, error),
      PlanLimitReached: (error) => failAtStart(broadcast, error),
      AudienceEmpty: (error) => failAtStart(broadcast, error),
      UnsupportedByChannel: (error) => failAtStart(broadcast, error)
    }),
    Effect.catchTags({ BroadcastTransitionInvalid: () => Effect.void, NotFound: () => Effect.void })
  )

/** Adds the next slice of the audience to the list, as the lane owner. */
const freezeNext = Effect.fnUntraced(function* (id: BroadcastId, lane: LaneLease) {
  const isDone = yield* freezeSlice(id)
  yield* (yield* LaneQueue).hold(lane)
  return isDone
}, transact)

const fail = (id: BroadcastId, error: { readonly message: string }) =>
  failAutomatically(id, { code: "audience_invalid", detail: error.message })

/**
 * Freezes the audience of a broadcast in slices, concurrently with sending. `onPart` runs after each slice. A broadcast fails if its audience cannot
 * be planned. Other errors are logged, and the next check retries.
 */
export const freezeAudience = (id: BroadcastId, lane: LaneLease, onPart: Effect.Effect<void>) =>
  Effect.repeat(Effect.tap(freezeNext(id, lane), onPart), { until: (isDone) => isDone }).pipe(
    Effect.asVoid,
    Effect.catchTags({
      PermissionDenied: (error) => fail(id, error),
      ValidationFailed: (error) => fail(id, error),
      NotFound: (error) => fail(id, error),
      UnsupportedByChannel: (error) => fail(id, error),
      LeaseLost: () => Effect.void
    }),
    Effect.catchCauseIf(
      (cause) => !Cause.hasInterrupts(cause),
      (cause) => Effect.logError(`The audience of ${id} could not be frozen; it is tried again`, cause)
    )
  )

/** Stops sending to pending recipients. The broadcast completes when the other recipients are settled. */
const endSending = Effect.fnUntraced(
  function* ({ id }: Broadcast) {
    const broadcasts = yield* Broadcasts
    const locked = yield* broadcasts.lock(id)
    if (locked.status !== "sending") return
    yield* cancelPending(locked)
    const ended = new Broadcast({ ...locked, endReason: "end_by", waiting: null, updatedAt: yield* DateTime.now })
    yield* broadcasts.save(ended, null)
  },
  transact,
  (effect) => Effect.catchTags(effect, { NotFound: () => Effect.void, VersionConflict: Effect.die })
)

const complete = Effect.fnUntraced(function* ({ id }: Broadcast) {
  // A concurrent change of the list either holds the lock or is visible here.
  const locked = yield* (yield* Broadcasts).lock(id)
  if (!hasRecipientsLeft(locked)) yield* transitionAutomatically(id, "complete", { reason: locked.endReason })
}, transact)

/** Runs an automatic step of a broadcast. */
export const runAutomaticStep = (broadcast: Broadcast, step: AutomaticStep) => {
  const { id, status } = broadcast
  switch (step) {
    case "start":
      return startWhenDue(broadcast)
    case "expire":
      return transitionAutomatically(id, "expire", { change: { endReason: "not_after" }, reason: "not_after" })
    case "end_by":
      return status === "paused"
        ? transitionAutomatically(id, "cancel", { change: { endReason: "end_by" }, reason: "end_by" })
        : endSending(broadcast)
    case "give_up_pause":
      return transitionAutomatically(id, "cancel", {
        change: { endReason: "paused_too_long" },
        reason: "paused_too_long"
      })
    case "complete":
      return Effect.catchTag(complete(broadcast), "NotFound", () => Effect.void)
  }
}
