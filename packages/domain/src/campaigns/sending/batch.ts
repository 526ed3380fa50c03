import { DateTime } from "effect"
import type { BroadcastId } from "../Ids.ts"
import { windowOpensAt } from "../timing/quietHours.ts"
import { type SendContext, toTimeZone } from "./SendContext.ts"
import {
  claimLeadTime,
  emptyThrottle,
  fullThrottle,
  maxInFlight,
  maxPendingCalls,
  probeAfterFailures,
  takeFromThrottle,
  type ThrottleState,
  windowSize
} from "./limits.ts"
import { type BroadcastSend, inFlightCount, type InputOf, pendingCallCount, type SenderState } from "./state.ts"

const millis = DateTime.toEpochMillis

/** Returns the broadcasts that can be sent now. */
export const sendableIds = ({ broadcasts, ready }: SenderState, now: number): ReadonlyArray<BroadcastId> =>
  ready.filter((id) => {
    const send = broadcasts.get(id)
    return send?.phase === "sending" && send.restsUntil <= now
  })

/**
 * Returns how many recipients of a broadcast the account can claim now. The limit is 0 until a batch fits. `claimAt` is the time of the next claim
 * on a slow account.
 */
export const accountLimit = (state: SenderState, send: BroadcastSend, { now, rate, readyIn }: InputOf<"Tick">) => {
  const most = state.backoff.failures >= probeAfterFailures ? 1 : maxInFlight(rate)
  const size = windowSize(rate)
  // The claim also stores the results of earlier recipients.
  const inFlight = inFlightCount(state) - send.results.length
  const pending = pendingCallCount(state)
  // On a slow account, a recipient is claimed shortly before its call to respect the maximum age.
  const early = pending > 0 ? 0 : Math.max(0, readyIn - claimLeadTime)
  const isInTime = pending === 0 ? early === 0 : pending + size <= maxPendingCalls(rate)
  const capacity = Math.min(size, most - inFlight)
  const isWorthwhile = capacity >= size / 2 || inFlight === 0
  const limit = isInTime && isWorthwhile && pending <= size ? Math.max(0, capacity) : 0
  return { limit, claimAt: early > 0 ? millis(now) + early : null }
}

/** Shorter waits for the throttle are not displayed, in milliseconds. */
const minShownWait = 1_000

/** Recipients to claim now, or the wait before the next claim. */
export type BatchPlan =
  | { readonly kind: "send"; readonly limit: number; readonly throttle: ThrottleState | null }
  | {
      readonly kind: "wait"
      readonly reason: "window" | "throttle"
      readonly until: DateTime.Utc
      readonly isShown: boolean
      readonly throttle: ThrottleState | null
    }

/** Returns the opening time of a closed window; `null` while it is open. Windows in the time of contacts apply to recipients. */
const nextWindowOpening = ({ broadcast }: BroadcastSend, { zone }: SendContext, now: DateTime.Utc) => {
  const { schedule } = broadcast
  const window = schedule?.zone === "contact" ? null : (schedule?.window ?? null)
  if (window === null) return null
  const opensAt = windowOpensAt(window, toTimeZone(zone), now)
  return DateTime.isGreaterThan(opensAt, now) ? opensAt : null
}

/** Returns the throttle before the first send by this process, as if the latest claim had emptied the bucket. */
const initialThrottle = (perMinute: number, { claimedAt }: BroadcastSend, now: DateTime.Utc) =>
  claimedAt === null ? fullThrottle(perMinute, millis(now)) : emptyThrottle(perMinute, millis(claimedAt))

/** Decides how many recipients of a broadcast can be claimed now, up to `capacity`. */
export const planBatch = (
  send: BroadcastSend,
  context: SendContext,
  capacity: number,
  now: DateTime.Utc
): BatchPlan => {
  const opensAt = nextWindowOpening(send, context, now)
  if (opensAt !== null) {
    return { kind: "wait", reason: "window", until: opensAt, isShown: true, throttle: send.throttle }
  }
  const limit = send.broadcast.throttle
  if (limit === null) return { kind: "send", limit: capacity, throttle: send.throttle }
  const before = send.throttle ?? initialThrottle(limit.perMinute, send, now)
  const { granted, nextAt, throttle } = takeFromThrottle(before, millis(now), capacity)
  if (granted > 0) return { kind: "send", limit: granted, throttle }
  const isShown = nextAt - millis(now) >= minShownWait
  return { kind: "wait", reason: "throttle", until: DateTime.makeUnsafe(nextAt), isShown, throttle }
}
