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

/** What a sender remembers of a broadcast while it sends it. */
export interface BroadcastSend {
  readonly id: BroadcastId
  broadcast: Broadcast
  /** How many of it are in hand, and how many of those wait for their call. */
  inHand: number
  uncalled: number
  /** What has come of calls, and is not stored yet. */
  results: Array<CallResult>
  /** Who comes after those that were claimed last, if that is known. */
  ahead: FoundCandidates | null
  /** What it is sent with, as it was found when its owner looked around last; `null` where nobody has read it since. */
  surroundings: SendContext | null
  /** No call of it starts any more. */
  readonly stopped: Latch.Latch
  isStopping: boolean
  /** Whether its audience is being put on the list. */
  isFreezing: boolean
  isStopSaid: boolean
  outcomes: RecentOutcomes
  throttle: ThrottleState | null
  /** When the last of it were claimed before it came into this hand. */
  readonly claimedAt: DateTime.Utc | null
  /** When it was last told how far it is, and whether it has come further since. */
  toldAt: DateTime.Utc | null
  isUntold: boolean
  /** Why recipients were put off last. */
  wait: PostponeReason | null
  waiting: BroadcastWaiting | null
  /** Nobody else's turn comes before then. */
  restsUntil: number
}

/** What is known of a broadcast that is about to be sent. */
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

/** Shows what a broadcast waits for, if that is not what is shown. */
export const saveWaiting = Effect.fnUntraced(function* (hand: BroadcastSend, waiting: BroadcastWaiting | null) {
  if (Equal.equals(hand.waiting, waiting)) return
  hand.waiting = waiting
  yield* (yield* RecipientLedger).wait(hand.id, waiting)
})

/** What the owner of an account remembers while it sends its broadcasts. */
export interface SenderState {
  readonly id: ChatAccountId
  readonly lane: LaneLease
  readonly pace: PaceControl
  readonly hands: Map<BroadcastId, BroadcastSend>
  /** What the provider was handed of files. */
  readonly files: Map<string, ProviderFile>
  /** The calls under way, and the audiences that are being frozen. */
  readonly running: FiberSet.FiberSet<void>
  /** Something has happened that has to be looked at. */
  readonly changed: Latch.Latch
  readonly turns: WeightedRoundRobin<BroadcastId>
  /** How many calls in a row have come to nothing, and until when the account rests. */
  standing: { readonly failures: number; readonly restsUntil: DateTime.Utc | null }
  readonly silence: UnansweredCalls
  /** The broadcasts that can be sent now. */
  ready: ReadonlyArray<BroadcastId>
  /** When something is due beside that; `null` when nothing is. */
  dueAt: number | null
  /** When the next recipient is taken in hand of an account that is slow; `null` when none waits for that. */
  claimAt: number | null
  /** When to look at what others have changed. */
  lookAt: number
}

/** What is known of an account right after its lane was claimed. */
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

/** How many recipients of the account are in hand. */
export const inFlightCount = (account: SenderState): number => sumOf(account, ({ inHand }) => inHand)

/** How many of those wait for their call. */
export const pendingCallCount = (account: SenderState): number => sumOf(account, ({ uncalled }) => uncalled)

/** Has those look again that wait for the daily limit: there may be room for them. */
export const retryDailyLimit = ({ hands }: SenderState): void => {
  for (const hand of hands.values()) if (hand.waiting?.reason === "daily_limit") hand.restsUntil = 0
}
