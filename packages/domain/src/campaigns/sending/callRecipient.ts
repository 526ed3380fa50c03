import { DateTime, Effect, Exit } from "effect"
import type { ContactId } from "../../crm/index.ts"
import { outlast } from "../../kernel/index.ts"
import type { ChatAccountId } from "../../messaging/chat/index.ts"
import { afterAnswer, afterSilence, applyRefusal, type Pace, type Silence } from "../../messaging/inbox/index.ts"
import type { RecipientOutcome } from "../RecipientLedger.ts"
import type { Hand } from "./Hand.ts"
import type { Surroundings } from "./Surroundings.ts"
import { pauseAllOf, pauseByItself } from "./changeStatus.ts"
import { judgeCall, type Judgement } from "./judgeCall.ts"
import { failsTooOften, mostStale, withOutcome } from "./limits.ts"
import type { PreparedCall } from "./prepareCalls.ts"

/** What all calls over an account share while it is sent over. */
export interface Calling {
  readonly chatAccountId: ChatAccountId
  readonly pace: Pace
  /** How many calls in a row had come to nothing when that was read. */
  readonly failures: () => number
  readonly silence: Silence
}

const pauses = Effect.fnUntraced(function* (hand: Hand, { chatAccountId }: Calling, { refusal }: Judgement) {
  switch (refusal?.remedy) {
    case "refresh_template":
      return yield* outlast(pauseByItself(hand.id, "template"))
    case "stop_account":
    case "reauthorize":
      return yield* outlast(pauseAllOf(chatAccountId, "account"))
    default:
      if (failsTooOften(hand.outcomes)) {
        hand.outcomes = []
        yield* outlast(pauseByItself(hand.id, "failures"))
      }
  }
})

/** Stores the effects of a call on the account, the contact and the broadcast. */
const follow = Effect.fnUntraced(function* (
  hand: Hand,
  calling: Calling,
  judgement: Judgement,
  contactId: ContactId,
  at: DateTime.Utc
) {
  const { answer, isFailure, refusal } = judgement
  const { chatAccountId, failures, pace, silence } = calling
  if (isFailure !== null) hand.outcomes = withOutcome(hand.outcomes, isFailure)
  if (refusal?.remedy === "slow_down") yield* pace.slowDown
  if (answer === "silence") yield* outlast(afterSilence({ chatAccountId, failures: failures() }, silence))
  if (answer === "answered") yield* outlast(afterAnswer({ chatAccountId, failures: failures() }, silence))
  if (refusal !== null && refusal.remedy !== "slow_down") {
    const { code, reason, remedy } = refusal
    // The provider reports it once. An opt-out or a stopped account must survive a lost connection.
    yield* outlast(applyRefusal({ code, reason, remedy, at }, chatAccountId, contactId))
  }
  yield* pauses(hand, calling, judgement)
})

/**
 * Calls the provider for a recipient in hand once the account may send, unless the broadcast is stopped before. From the call on it is not
 * interrupted. Whatever comes of it stands in the hand's results.
 */
export const callRecipient = (hand: Hand, call: PreparedCall, { line, sending }: Surroundings, calling: Calling) =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const { attempts, claimedAt, contactId, counted, outgoing, seq, windowId } = call
      const keep = (at: DateTime.Utc, outcome: RecipientOutcome) =>
        void hand.results.push({ windowId, seq, at, outcome, counted, contactId, chatAccountId: calling.chatAccountId })
      const mayCall = yield* Effect.exit(
        restore(Effect.raceFirst(Effect.as(calling.pace.take("bulk"), true), Effect.as(hand.stopped.await, false)))
      )
      hand.uncalled -= 1
      const at = yield* DateTime.now
      const isStale = DateTime.toEpochMillis(at) - DateTime.toEpochMillis(claimedAt) > mostStale
      if (Exit.isFailure(mayCall) || !mayCall.value || hand.isStopping || isStale) {
        return keep(at, { kind: "pending", dueAt: at, counts: false })
      }
      const exit = yield* Effect.exit(sending.send(line, outgoing))
      const judgement = yield* judgeCall(exit, attempts + 1)
      keep(yield* DateTime.now, judgement.outcome)
      yield* follow(hand, calling, judgement, contactId, at).pipe(
        Effect.catchCause((cause) =>
          Effect.logError(`What follows from a call for ${hand.id} could not be done`, cause)
        )
      )
    })
  )
