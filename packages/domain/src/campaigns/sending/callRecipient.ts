import { DateTime, Effect, Exit } from "effect"
import type { ContactId } from "../../crm/index.ts"
import { retryThroughOutage } from "../../kernel/index.ts"
import type { ChatAccountId } from "../../messaging/chat/index.ts"
import {
  recordAnsweredCall,
  recordUnansweredCall,
  applyRefusal,
  type PaceControl,
  type UnansweredCalls
} from "../../messaging/inbox/index.ts"
import type { RecipientOutcome } from "../RecipientLedger.ts"
import type { BroadcastSend } from "./BroadcastSend.ts"
import type { SendContext } from "./SendContext.ts"
import { pauseAccountBroadcasts, pauseAutomatically } from "./changeStatus.ts"
import { classifyCallResult, type CallOutcome } from "./classifyCallResult.ts"
import { exceedsFailureRate, maxClaimAge, addOutcome } from "./limits.ts"
import type { PreparedCall } from "./prepareCalls.ts"

/** State that all calls of an account share. */
export interface CallContext {
  readonly chatAccountId: ChatAccountId
  readonly pace: PaceControl
  /** Number of failed calls in a row at the last read. */
  readonly failures: () => number
  readonly silence: UnansweredCalls
}

const pauseAfterRefusal = Effect.fnUntraced(function* (
  hand: BroadcastSend,
  { chatAccountId }: CallContext,
  { refusal }: CallOutcome
) {
  switch (refusal?.remedy) {
    case "refresh_template":
      return yield* retryThroughOutage(pauseAutomatically(hand.id, "template"))
    case "stop_account":
    case "reauthorize":
      return yield* retryThroughOutage(pauseAccountBroadcasts(chatAccountId, "account"))
    default:
      if (exceedsFailureRate(hand.outcomes)) {
        hand.outcomes = []
        yield* retryThroughOutage(pauseAutomatically(hand.id, "failures"))
      }
  }
})

/** Stores the effects of a call on the account, the contact and the broadcast. */
const applyCallEffects = Effect.fnUntraced(function* (
  hand: BroadcastSend,
  calling: CallContext,
  judgement: CallOutcome,
  contactId: ContactId,
  at: DateTime.Utc
) {
  const { answer, isFailure, refusal } = judgement
  const { chatAccountId, failures, pace, silence } = calling
  if (isFailure !== null) hand.outcomes = addOutcome(hand.outcomes, isFailure)
  if (refusal?.remedy === "slow_down") yield* pace.slowDown
  if (answer === "silence")
    yield* retryThroughOutage(recordUnansweredCall({ chatAccountId, failures: failures() }, silence))
  if (answer === "answered")
    yield* retryThroughOutage(recordAnsweredCall({ chatAccountId, failures: failures() }, silence))
  if (refusal !== null && refusal.remedy !== "slow_down") {
    const { code, reason, remedy } = refusal
    // The provider reports it once. An opt-out or a stopped account must survive a lost connection.
    yield* retryThroughOutage(applyRefusal({ code, reason, remedy, at }, chatAccountId, contactId))
  }
  yield* pauseAfterRefusal(hand, calling, judgement)
})

/**
 * Calls the provider for a claimed recipient when the pace allows it, unless the broadcast stops first. The call is not interruptible. Its result is
 * added to the results of the send.
 */
export const callRecipient = (
  hand: BroadcastSend,
  call: PreparedCall,
  { line, sending }: SendContext,
  calling: CallContext
) =>
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
      const isStale = DateTime.toEpochMillis(at) - DateTime.toEpochMillis(claimedAt) > maxClaimAge
      if (Exit.isFailure(mayCall) || !mayCall.value || hand.isStopping || isStale) {
        return keep(at, { kind: "pending", dueAt: at, counts: false })
      }
      const exit = yield* Effect.exit(sending.send(line, outgoing))
      const judgement = yield* classifyCallResult(exit, attempts + 1)
      keep(yield* DateTime.now, judgement.outcome)
      yield* applyCallEffects(hand, calling, judgement, contactId, at).pipe(
        Effect.catchCause((cause) =>
          Effect.logError(`What follows from a call for ${hand.id} could not be done`, cause)
        )
      )
    })
  )
