import { type DateTime, type FiberSet, Latch } from "effect"
import type { ChatAccountId } from "../../messaging/chat/index.ts"
import { accountOfLane, type Pace, type Silence } from "../../messaging/inbox/index.ts"
import type { LaneLease } from "../../platform/background/index.ts"
import type { BroadcastId } from "../Ids.ts"
import { makeTurns, type Turns } from "../pace/index.ts"
import type { Hand } from "./Hand.ts"
import type { ProviderFile } from "./Surroundings.ts"

/** What the owner of an account remembers while it sends its broadcasts. */
export interface AccountInHand {
  readonly id: ChatAccountId
  readonly lane: LaneLease
  readonly pace: Pace
  readonly hands: Map<BroadcastId, Hand>
  /** What the provider was handed of files. */
  readonly files: Map<string, ProviderFile>
  /** The calls under way, and the audiences that are being frozen. */
  readonly running: FiberSet.FiberSet<void>
  /** Something has happened that has to be looked at. */
  readonly changed: Latch.Latch
  readonly turns: Turns<BroadcastId>
  /** How many calls in a row have come to nothing, and until when the account rests. */
  standing: { readonly failures: number; readonly restsUntil: DateTime.Utc | null }
  readonly silence: Silence
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
export const newAccountInHand = (
  lane: LaneLease,
  pace: Pace,
  hands: AccountInHand["hands"],
  running: AccountInHand["running"]
): AccountInHand => ({
  id: accountOfLane(lane),
  lane,
  pace,
  hands,
  files: new Map(),
  running,
  changed: Latch.makeUnsafe(),
  turns: makeTurns(),
  standing: { failures: 0, restsUntil: null },
  silence: { isNoted: false },
  ready: [],
  dueAt: null,
  claimAt: null,
  lookAt: 0
})

const sumOf = ({ hands }: AccountInHand, count: (hand: Hand) => number) =>
  Array.from(hands.values()).reduce((sum, hand) => sum + count(hand), 0)

/** How many recipients of the account are in hand. */
export const inHandOf = (account: AccountInHand): number => sumOf(account, ({ inHand }) => inHand)

/** How many of those wait for their call. */
export const uncalledOf = (account: AccountInHand): number => sumOf(account, ({ uncalled }) => uncalled)

/** Has those look again that wait for the daily limit: there may be room for them. */
export const retryDailyLimit = ({ hands }: AccountInHand): void => {
  for (const hand of hands.values()) if (hand.waiting?.reason === "daily_limit") hand.restsUntil = 0
}
