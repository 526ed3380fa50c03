import { type DateTime, Effect, Equal, type FiberSet, Latch } from "effect"
import type { ChatAccountId } from "../../messaging/chat/index.ts"
import { sendLaneAccountId, type PaceControl, type UnansweredCalls } from "../../messaging/inbox/index.ts"
import type { LaneLease } from "../../platform/background/index.ts"
import type { Broadcast, BroadcastWaiting } from "../Broadcast.ts"
import type { BroadcastId } from "../Ids.ts"
import { type ActiveBroadcast, type FoundCandidates, RecipientLedger } from "../RecipientLedger.ts"
import type { ProviderFile, SendContext } from "./SendContext.ts"
import type { PostponeReason } from "./decide.ts"
import { emptyOutcomes, type RecentOutcomes } from "./limits.ts"
import type { CallResult } from "./saveCallResults.ts"
import { makeWeightedRoundRobin, type ThrottleState, type WeightedRoundRobin } from "./throttle.ts"

/** State of a broadcast in the memory of its sender. */
export interface BroadcastSend {
  readonly id: BroadcastId
  broadcast: Broadcast
  /** Number of claimed recipients, and the number of them that wait for their call. */
  inHand: number
  uncalled: number
  /** Results of calls that are not stored yet. */
  results: Array<CallResult>
  /** Candidates after the last claimed ones; `null` if unknown. */
  ahead: FoundCandidates | null
  /** Send context of the last reconcile; `null` until it is read again. */
  surroundings: SendContext | null
  /** Opens when no further call can start. */
  readonly stopped: Latch.Latch
  isStopping: boolean
  /** Whether its audience is being frozen. */
  isFreezing: boolean
  isStopSaid: boolean
  outcomes: RecentOutcomes
  throttle: ThrottleState | null
  /** Time of the latest claim before this sender started. */
  readonly claimedAt: DateTime.Utc | null
  /** Time of the latest progress event, and whether the broadcast has progressed since. */
  toldAt: DateTime.Utc | null
  isUntold: boolean
  /** Latest reason for delayed recipients. */
  wait: PostponeReason | null
  waiting: BroadcastWaiting | null
  /** No other recipient is due before this time. */
  restsUntil: number
}

/** Returns the initial state for sending a broadcast. */
export const newBroadcastSend = (
  broadcast: Broadcast,
  { claimedAt, toldAt }: Pick<ActiveBroadcast, "claimedAt" | "toldAt">
): BroadcastSend => ({
  id: broadcast.id,
  broadcast,
  inHand: 0,
  uncalled: 0,
  results: [],
  ahead: null,
  surroundings: null,
  stopped: Latch.makeUnsafe(),
  isStopping: false,
  isFreezing: false,
  isStopSaid: false,
  outcomes: emptyOutcomes,
  throttle: null,
  claimedAt,
  toldAt,
  isUntold: false,
  wait: null,
  waiting: broadcast.waiting,
  restsUntil: 0
})

/** Stores the displayed wait of the broadcast if it has changed. */
export const saveWaiting = Effect.fnUntraced(function* (hand: BroadcastSend, waiting: BroadcastWaiting | null) {
  if (Equal.equals(hand.waiting, waiting)) return
  hand.waiting = waiting
  yield* (yield* RecipientLedger).wait(hand.id, waiting)
})

/** State of the lane owner of an account. */
export interface SenderState {
  readonly id: ChatAccountId
  readonly lane: LaneLease
  readonly pace: PaceControl
  readonly hands: Map<BroadcastId, BroadcastSend>
  /** Uploaded files at the provider. */
  readonly files: Map<string, ProviderFile>
  /** Calls in flight and running freezes. */
  readonly running: FiberSet.FiberSet<void>
  /** Opens when the sender must check for changes. */
  readonly changed: Latch.Latch
  readonly turns: WeightedRoundRobin<BroadcastId>
  /** Failed calls in a row, and the end of the account's rest. */
  standing: { readonly failures: number; readonly restsUntil: DateTime.Utc | null }
  readonly silence: UnansweredCalls
  /** Broadcasts that can be sent now. */
  ready: ReadonlyArray<BroadcastId>
  /** Due time of other work; `null` without any. */
  dueAt: number | null
  /** Time of the next claim on a slow account; `null` if no claim waits for it. */
  claimAt: number | null
  /** Time to check for changes by other processes. */
  lookAt: number
}

/** Returns the state of an account after the claim of its lane. */
export const newSenderState = (
  lane: LaneLease,
  pace: PaceControl,
  hands: SenderState["hands"],
  running: SenderState["running"]
): SenderState => ({
  id: sendLaneAccountId(lane),
  lane,
  pace,
  hands,
  files: new Map(),
  running,
  changed: Latch.makeUnsafe(),
  turns: makeWeightedRoundRobin(),
  standing: { failures: 0, restsUntil: null },
  silence: { isNoted: false },
  ready: [],
  dueAt: null,
  claimAt: null,
  lookAt: 0
})

const sumOf = ({ hands }: SenderState, count: (hand: BroadcastSend) => number) =>
  Array.from(hands.values()).reduce((sum, hand) => sum + count(hand), 0)

/** Returns the number of the account's recipients in flight. */
export const inFlightCount = (account: SenderState): number => sumOf(account, ({ inHand }) => inHand)

/** Returns the number of claimed recipients that wait for their call. */
export const pendingCallCount = (account: SenderState): number => sumOf(account, ({ uncalled }) => uncalled)

/** Wakes broadcasts that wait for the daily limit, because it can have capacity again. */
export const retryDailyLimit = ({ hands }: SenderState): void => {
  for (const hand of hands.values()) if (hand.waiting?.reason === "daily_limit") hand.restsUntil = 0
}
