/**
 * State machine of the sender of an account. `step` is pure: it decides everything from the state and one input, and the interpreter executes the
 * commands and returns their results as inputs.
 *
 * A round has five stages. `settle` records stops, and stores results with side effects and due progress. `reconcile` loads the account. `claim`
 * claims recipients of one broadcast, and starts a new round. Without a claim, `flush` stores all other results, and `rest` sleeps or ends.
 *
 * | Input           | Commands                                                                 |
 * | --------------- | ------------------------------------------------------------------------ |
 * | `Tick`          | effects of the stage                                                     |
 * | `Loaded`        | `Stop`, `RunStep`, `Recall`, `Freeze`, `ShowWait`                        |
 * | `ContextLoaded` | `Pause`, `FailRemoved`                                                   |
 * | `Claimed`       | `AwaitPace` for each recipient, `ShowWait`; or `Store` and `ClaimWindow` |
 * | `CallReady`     | `Call`, unless the broadcast stops or the claim is too old               |
 * | `CallFinished`  | `ApplyAnswer`, `Pause`, `Wake`                                           |
 * | `Stored`        | none                                                                     |
 * | `Frozen`        | `Wake`                                                                   |
 * | `Notified`      | none                                                                     |
 */
import { DateTime } from "effect"
import type { BroadcastRefusal } from "../Broadcast.ts"
import type { Unsendable } from "./SendContext.ts"
import type { CallOutcome } from "./call.ts"
import {
  addOutcome,
  chargeTurn,
  dailyLimitRetryInterval,
  emptyOutcomes,
  exceedsFailureRate,
  maxClaimAge,
  type RecentOutcomes,
  refundThrottle
} from "./limits.ts"
import { type CallResult, callResult, freesCapacity, type PreparedCall } from "./prepareCalls.ts"
import { onLoaded, showWait, stopSend } from "./reconcile.ts"
import { claimByWindow, onTick, withoutMore } from "./round.ts"
import {
  type BroadcastSend,
  type InputOf,
  type SenderCommand,
  type SenderInput,
  type SenderState,
  sendsOf,
  type Step,
  withSend
} from "./state.ts"

const millis = DateTime.toEpochMillis

const unchanged = (state: SenderState): Step => ({ state, commands: [] })

/** Wakes broadcasts that wait for the daily limit, because it can have capacity again. */
const retryDailyLimit = (state: SenderState): SenderState => {
  const retried = sendsOf(state).map((send) =>
    send.waiting?.reason === "daily_limit" ? { ...send, restsUntil: 0 } : send
  )
  return { ...state, broadcasts: new Map(retried.map((send) => [send.id, send])) }
}

/** Removes stored results. */
const withoutResults = (send: BroadcastSend, stored: ReadonlyArray<CallResult>): BroadcastSend => {
  if (stored.length === 0) return send
  const isStored = new Set(stored)
  return {
    ...send,
    results: send.results.filter((result) => !isStored.has(result)),
    inFlight: send.inFlight - stored.length
  }
}

const onStored = (state: SenderState, { id, results }: InputOf<"Stored">): Step => {
  const send = state.broadcasts.get(id)
  if (send === undefined || results.length === 0) return unchanged(state)
  const settled = withoutResults(send, results)
  const after = withSend(state, settled)
  const freed = results.some(freesCapacity) ? retryDailyLimit(after) : after
  // The broadcast can be complete now.
  return unchanged(settled.inFlight === 0 ? { ...freed, reconcileAt: 0 } : freed)
}

const commandFor = (unsendable: Unsendable, id: BroadcastSend["id"]): SenderCommand => {
  switch (unsendable.unfit) {
    case "suspended":
      return { _tag: "Pause", id: null, reason: "suspended", refusal: null }
    case "chat_account_disconnected":
      return { _tag: "Pause", id: null, reason: "account", refusal: null }
    case "template":
      return { _tag: "Pause", id, reason: "template", refusal: unsendable.refusal }
    case "chat_account_removed":
      return { _tag: "FailRemoved", id }
  }
}

const onContextLoaded = (state: SenderState, { context, id, now }: InputOf<"ContextLoaded">): Step => {
  const send = state.broadcasts.get(id)
  if (send === undefined) return unchanged(state)
  if (context.unfit === undefined) return unchanged(withSend(state, { ...send, context }))
  return { state: { ...withoutMore(state, send, now), stage: "settle" }, commands: [commandFor(context, id)] }
}

/** The daily limit is checked again after some time, because other numbers of the business can free capacity. */
const restAfter = ({ restsUntil }: BroadcastSend, freeAt: DateTime.Utc | null, now: DateTime.Utc) =>
  freeAt === null ? restsUntil : millis(DateTime.min(freeAt, DateTime.addDuration(now, dailyLimitRetryInterval)))

const onClaimed = (state: SenderState, input: InputOf<"Claimed">): Step => {
  const { claim, context, id, limit, now } = input
  const known = state.broadcasts.get(id)
  if (known === undefined) return unchanged(state)
  const hasStored = claim.stored.length > 0
  const send = {
    ...withoutResults(known, claim.stored),
    hasUnreportedProgress: known.hasUnreportedProgress || hasStored
  }
  if (claim.kind === "unfit") return claimByWindow(state, send, { context, limit }, now)
  const used = claim.kind === "claimed" ? claim.calls.length : 0
  const throttle = send.throttle === null ? null : refundThrottle(send.throttle, limit - used)
  if (claim.kind !== "claimed") {
    const stopped = stopSend({ ...send, throttle })
    return { state: withoutMore(withSend(state, stopped.send), stopped.send, now), commands: stopped.commands }
  }
  const { calls, freeAt, isAll, lookahead, postponeReason } = claim
  const claimed: BroadcastSend = {
    ...send,
    throttle,
    lookahead,
    inFlight: send.inFlight + used,
    pendingCalls: send.pendingCalls + used,
    postponeReason: postponeReason ?? send.postponeReason,
    restsUntil: restAfter(send, freeAt, now)
  }
  const shown = showWait(claimed, freeAt === null ? null : { reason: "daily_limit", until: freeAt })
  const charged = { ...withSend(state, shown.send), turns: chargeTurn(state.turns, id, Math.max(1, used)) }
  return {
    state: isAll || freeAt !== null ? withoutMore(charged, shown.send, now) : charged,
    commands: [...calls.map((call) => ({ _tag: "AwaitPace", call, context }) as const), ...shown.commands]
  }
}

/** The next claim can follow, or all results are there. */
const wakeAfter = ({ inFlight, pendingCalls, results }: BroadcastSend): ReadonlyArray<SenderCommand> =>
  pendingCalls === 0 || results.length === inFlight ? [{ _tag: "Wake" }] : []

/** Whether the recipient of a call must stay uncalled. */
const isTooLate = ({ phase }: BroadcastSend, { claimedAt }: PreparedCall, at: DateTime.Utc) =>
  phase !== "sending" || millis(at) - millis(claimedAt) > maxClaimAge

const onCallReady = (state: SenderState, { at, call, context, isGranted }: InputOf<"CallReady">): Step => {
  const known = state.broadcasts.get(call.broadcastId)
  if (known === undefined) return unchanged(state)
  const send = { ...known, pendingCalls: known.pendingCalls - 1 }
  if (isGranted && !isTooLate(send, call, at)) {
    return { state: withSend(state, send), commands: [{ _tag: "Call", call, context, at }] }
  }
  const uncalled = callResult(call, at, { kind: "pending", dueAt: at, counts: false })
  const released = { ...send, results: [...send.results, uncalled] }
  return { state: withSend(state, released), commands: wakeAfter(released) }
}

const toBroadcastRefusal = ({ code, reason }: BroadcastRefusal): BroadcastRefusal => ({ code, reason })

/** Returns the pause that an answer requires, if any. */
const pauseAfter = (
  { refusal }: CallOutcome,
  { id }: BroadcastSend,
  outcomes: RecentOutcomes
): Extract<SenderCommand, { readonly _tag: "Pause" }> | null => {
  switch (refusal?.remedy) {
    case "refresh_template":
      return { _tag: "Pause", id, reason: "template", refusal: toBroadcastRefusal(refusal) }
    case "stop_account":
    case "stop_campaigns":
    case "reauthorize":
      return { _tag: "Pause", id: null, reason: "account", refusal: toBroadcastRefusal(refusal) }
    default:
      return exceedsFailureRate(outcomes) ? { _tag: "Pause", id, reason: "failures", refusal: null } : null
  }
}

const onCallFinished = (state: SenderState, { at, call, calledAt, outcome }: InputOf<"CallFinished">): Step => {
  const known = state.broadcasts.get(call.broadcastId)
  if (known === undefined) return unchanged(state)
  const { isFailure } = outcome
  const outcomes = isFailure === null ? known.outcomes : addOutcome(known.outcomes, isFailure)
  const pause = pauseAfter(outcome, known, outcomes)
  const send: BroadcastSend = {
    ...known,
    results: [...known.results, callResult(call, at, outcome.outcome)],
    outcomes: pause?.reason === "failures" ? emptyOutcomes : outcomes
  }
  const { failures } = state.backoff
  return {
    state: withSend(state, send),
    commands: [
      { _tag: "ApplyAnswer", call, at: calledAt, failures, outcome },
      ...(pause === null ? [] : [pause]),
      ...wakeAfter(send)
    ]
  }
}

const onFrozen = (state: SenderState, { hasEnded, id }: InputOf<"Frozen">): Step => {
  const send = state.broadcasts.get(id)
  if (hasEnded) return unchanged(send === undefined ? state : withSend(state, { ...send, isFreezing: false }))
  return { state: { ...state, reconcileAt: 0 }, commands: [{ _tag: "Wake" }] }
}

/** The provider can have raised its limit before a notification of the lane. */
const onNotified = (state: SenderState, { by }: InputOf<"Notified">): Step =>
  unchanged(by === "lane" ? { ...retryDailyLimit(state), reconcileAt: 0 } : { ...state, isWoken: true })

/** Returns the next state of the sender, and the commands that follow from an input. */
export const step = (state: SenderState, input: SenderInput): Step => {
  switch (input._tag) {
    case "Tick":
      return onTick(state, input)
    case "Loaded":
      return onLoaded(state, input)
    case "ContextLoaded":
      return onContextLoaded(state, input)
    case "Claimed":
      return onClaimed(state, input)
    case "CallReady":
      return onCallReady(state, input)
    case "CallFinished":
      return onCallFinished(state, input)
    case "Stored":
      return onStored(state, input)
    case "Frozen":
      return onFrozen(state, input)
    case "Notified":
      return onNotified(state, input)
  }
}
