import { type DateTime, Latch } from "effect"
import type { Broadcast, BroadcastWaiting } from "../Broadcast.ts"
import { noOutcomes, type Outcomes, type Throttle } from "../pace/index.ts"
import type { BroadcastId } from "../Ids.ts"
import type { ActiveBroadcast, FoundCandidates } from "../RecipientLedger.ts"
import type { Wait } from "./decide.ts"
import type { CallResult } from "./storeResults.ts"
import type { Surroundings } from "./Surroundings.ts"

/** What a sender remembers of a broadcast while it sends it. */
export interface Hand {
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
  surroundings: Surroundings | null
  /** No call of it starts any more. */
  readonly stopped: Latch.Latch
  isStopping: boolean
  /** Whether its audience is being put on the list. */
  isFreezing: boolean
  isStopSaid: boolean
  outcomes: Outcomes
  throttle: Throttle | null
  /** When the last of it were claimed before it came into this hand. */
  readonly claimedAt: DateTime.Utc | null
  /** When it was last told how far it is, and whether it has come further since. */
  toldAt: DateTime.Utc | null
  isUntold: boolean
  /** Why recipients were put off last. */
  wait: Wait | null
  waiting: BroadcastWaiting | null
  /** Nobody else's turn comes before then. */
  restsUntil: number
}

/** What is known of a broadcast that is about to be sent. */
export const newHand = (
  broadcast: Broadcast,
  { claimedAt, toldAt }: Pick<ActiveBroadcast, "claimedAt" | "toldAt">
): Hand => ({
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
  outcomes: noOutcomes,
  throttle: null,
  claimedAt,
  toldAt,
  isUntold: false,
  wait: null,
  waiting: broadcast.waiting,
  restsUntil: 0
})
