import { DateTime, Effect, Schedule } from "effect"
import { afterCommit, type NotFound, transact } from "../../kernel/index.ts"
import { type ChatAccountId, ChatAccounts } from "../../messaging/chat/index.ts"
import type { Broadcast, BroadcastFailure, BroadcastPause, BroadcastRefusal } from "../Broadcast.ts"
import { Broadcasts } from "../Broadcasts.ts"
import type { BroadcastId } from "../Ids.ts"
import { RecipientLedger } from "../RecipientLedger.ts"
import { RecipientReservations } from "../RecipientReservations.ts"
import { transitionBroadcast, publishProgress } from "../broadcastChanges.ts"
import {
  nextBroadcastStatus,
  type BroadcastTransition,
  type BroadcastTransitionInvalid,
  hasEnded
} from "../broadcastTransitions.ts"
import { recipientRetention, stopTimeout } from "./limits.ts"

/** Cancels the pending recipients of a locked broadcast and releases their share of the plan. */
export const cancelPending = Effect.fnUntraced(function* ({ id, stats }: Broadcast) {
  yield* (yield* RecipientLedger).end(id)
  if (stats.pending > 0) yield* (yield* RecipientReservations).giveBack(id, stats.pending)
})

/** Whether another call is possible: recipients in flight can return to pending. In-doubt recipients are never sent again. */
export const hasRecipientsLeft = ({ frozenAt, stats }: Broadcast): boolean =>
  frozenAt === null || stats.pending > 0 || stats.inFlight > 0

/** Fields of a status change. */
type StatusChangeInput = Partial<Omit<Parameters<typeof transitionBroadcast>[2], "expected">>

/** Whether any recipient was ever called. */
const hasStartedSending = ({ stats: { delivered, failed, inDoubt, inFlight, read, sent } }: Broadcast) =>
  inFlight + inDoubt + sent + delivered + read + failed > 0

const applyTransition = Effect.fnUntraced(function* (
  id: BroadcastId,
  transition: BroadcastTransition,
  { action = null, change = {}, reason = null }: StatusChangeInput
) {
  const before = yield* (yield* Broadcasts).lock(id)
  const isOver = hasEnded(yield* nextBroadcastStatus(before.status, transition))
  if (isOver) yield* cancelPending(before)
  // The last progress event must match the final counts.
  if (before.status === "sending" && hasStartedSending(before)) yield* publishProgress(id)
  const now = yield* DateTime.now
  const end = isOver ? { endedAt: now, recipientsKeptUntil: DateTime.addDuration(now, recipientRetention) } : {}
  return yield* transitionBroadcast(before, transition, {
    action,
    change: { pause: null, waiting: null, ...change, ...end },
    reason
  }).pipe(Effect.catchTag("VersionConflict", Effect.die))
})

/** Changes the status of a broadcast. After its end, pending recipients stay unsent. */
export const changeStatus = (
  id: BroadcastId,
  transition: Exclude<BroadcastTransition, "fail">,
  input: StatusChangeInput
) => applyTransition(id, transition, input)

/** Fails a broadcast that cannot be sent. The type requires a cause. */
export const failBroadcast = (id: BroadcastId, failure: BroadcastFailure) =>
  applyTransition(id, "fail", { change: { failure }, reason: failure.code })

/** An earlier change by a member takes precedence. */
const ignoreIfChanged = <A, R>(move: Effect.Effect<A, BroadcastTransitionInvalid | NotFound, R>) =>
  move.pipe(
    Effect.asVoid,
    Effect.catchTags({ BroadcastTransitionInvalid: () => Effect.void, NotFound: () => Effect.void })
  )

/** Changes the status of a broadcast as the service, unless the broadcast has changed since the read. */
export const transitionAutomatically = (...args: Parameters<typeof changeStatus>) =>
  ignoreIfChanged(transact(changeStatus(...args)))

/** Fails a broadcast as the service, unless the broadcast has changed since the read. */
export const failAutomatically = (...args: Parameters<typeof failBroadcast>) =>
  ignoreIfChanged(transact(failBroadcast(...args)))

type Reason = Exclude<BroadcastPause["reason"], "user">

/** Pauses a broadcast until a member resumes it. A broadcast that only waits for open doubts completes without a member. */
export const pauseAutomatically = Effect.fnUntraced(
  function* (id: BroadcastId, reason: Reason, refusal: BroadcastRefusal | null) {
    if (!hasRecipientsLeft(yield* (yield* Broadcasts).lock(id))) return
    const pause = { reason, at: yield* DateTime.now, by: null, ...(refusal !== null && { refusal }) }
    // The audit trail keeps the words of the provider, because the pause is deleted when a member resumes the broadcast.
    const action = refusal === null ? null : "broadcast.paused"
    yield* transitionAutomatically(id, "pause", { action, change: { pause }, reason })
  },
  transact,
  (effect) => Effect.catchTag(effect, "NotFound", () => Effect.void)
)

/** Pauses all broadcasts of an account that have recipients left. */
export const pauseAccountBroadcasts = Effect.fnUntraced(function* (
  account: ChatAccountId,
  reason: Reason,
  refusal: BroadcastRefusal | null
) {
  const active = yield* (yield* RecipientLedger).active(account)
  yield* Effect.forEach(
    active.filter(({ status }) => status === "sending"),
    ({ broadcastId }) => pauseAutomatically(broadcastId, reason, refusal),
    { discard: true }
  )
})

/** Fails a broadcast whose account was removed during sending. */
export const failForRemovedAccount = (id: BroadcastId) =>
  failAutomatically(id, { code: "chat_account_removed", detail: "The chat account was removed." })

/**
 * Ends the broadcasts of a removed account: sending ones fail, paused ones are cancelled. Scheduled ones wait until they are due, because the account
 * can be connected again by then.
 */
export const handleRemovedAccount = Effect.fnUntraced(function* (account: ChatAccountId) {
  const [there] = yield* (yield* ChatAccounts).find([account])
  if (there !== undefined) return
  for (const { broadcastId, status } of yield* (yield* RecipientLedger).active(account)) {
    if (status === "sending") yield* failForRemovedAccount(broadcastId)
    if (status !== "paused") continue
    yield* transitionAutomatically(broadcastId, "cancel", {
      change: { endReason: "account_removed" },
      reason: "account_removed"
    })
  }
})

const stopPollInterval = "50 millis"

/** Waits until no call of the broadcast can start. The sender reports it, or has lost its lease. Call it after the commit of the new status. */
export const awaitStopped = (id: BroadcastId) =>
  afterCommit(
    Effect.flatMap(RecipientLedger, (ledger) => ledger.isStopped(id)).pipe(
      Effect.repeat({ until: (isStopped) => isStopped, schedule: Schedule.spaced(stopPollInterval) }),
      Effect.timeoutOrElse({ duration: stopTimeout, orElse: () => Effect.succeed(true) }),
      Effect.asVoid
    )
  )
