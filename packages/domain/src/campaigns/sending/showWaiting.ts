import { Effect, Equal } from "effect"
import type { BroadcastWaiting } from "../Broadcast.ts"
import { RecipientLedger } from "../RecipientLedger.ts"
import type { Hand } from "./Hand.ts"

/** Shows what a broadcast waits for, if that is not what is shown. */
export const showWaiting = Effect.fnUntraced(function* (hand: Hand, waiting: BroadcastWaiting | null) {
  if (Equal.equals(hand.waiting, waiting)) return
  hand.waiting = waiting
  yield* (yield* RecipientLedger).wait(hand.id, waiting)
})
