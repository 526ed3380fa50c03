import { Cause, DateTime, Effect, Exit, Option } from "effect"
import {
  type AcceptedMessage,
  type ChannelInDoubt,
  ChannelRefused,
  type ChannelUnreachable,
  type Remedy
} from "../../messaging/chat/index.ts"
import {
  applyRefusal,
  messageErrorOf,
  type PaceControl,
  recordAnsweredCall,
  recordUnansweredCall,
  sendRetryDelay,
  type UnansweredCalls
} from "../../messaging/inbox/index.ts"
import { retryThroughOutage } from "../../kernel/index.ts"
import type { RecipientOutcome } from "../RecipientLedger.ts"
import type { SendContext } from "./SendContext.ts"
import type { PreparedCall } from "./prepareCalls.ts"

/** Effects of a call beyond its recipient. */
export interface CallOutcome {
  readonly outcome: RecipientOutcome
  /** Whether it counts as a failure of the broadcast; `null` if it does not count. */
  readonly isFailure: boolean | null
  /** Whether the provider answered; `null` if unknown. */
  readonly answer: "answered" | "silence" | null
  /** Rejection that concerns more than the recipient; `null` without one. */
  readonly refusal: ChannelRefused | null
}

type CallExit = Exit.Exit<AcceptedMessage, ChannelRefused | ChannelUnreachable | ChannelInDoubt>

const inDoubt: CallOutcome = {
  outcome: { kind: "in_doubt" },
  isFailure: null,
  answer: "silence",
  refusal: null
}

const unreachable = {
  remedy: "retry" as const,
  code: null,
  reason: "The chat provider is not reachable.",
  retryAfterMillis: null
}

interface CallRefusal {
  readonly remedy: Remedy
  readonly code: number | null
  readonly reason: string
  readonly retryAfterMillis: number | null
}

const toFailedOutcome = (refused: CallRefusal): RecipientOutcome => ({
  kind: "failed",
  error: { ...messageErrorOf({ ...refused, code: refused.code ?? 0 }), providerCode: refused.code }
})

const recipientRemedies: Partial<Readonly<Record<Remedy, boolean>>> = {
  skip_recipient: true,
  skip_for_now: true,
  try_later: true,
  needs_template: true,
  fix_values: true,
  give_up: true
}

/** Returns the time of the next attempt; `null` after the last one. */
const findRetryTime = Effect.fnUntraced(function* (refused: CallRefusal, attempts: number) {
  const wait = yield* sendRetryDelay(refused.remedy, attempts, refused.retryAfterMillis)
  return wait === null ? null : DateTime.addDuration(yield* DateTime.now, wait)
})

const classifyRefusal = Effect.fnUntraced(function* (
  refused: CallRefusal,
  attempts: number,
  refusal: ChannelRefused | null
): Effect.fn.Return<CallOutcome> {
  const { remedy } = refused
  const now = yield* DateTime.now
  switch (remedy) {
    case "retry":
    case "delay_recipient": {
      const dueAt = yield* findRetryTime(refused, attempts)
      return {
        outcome: dueAt === null ? toFailedOutcome(refused) : { kind: "pending", dueAt, counts: true },
        isFailure: null,
        answer: remedy === "retry" ? "silence" : "answered",
        refusal: null
      }
    }
    case "slow_down":
      return {
        outcome: { kind: "pending", dueAt: (yield* findRetryTime(refused, 1)) ?? now, counts: false },
        isFailure: null,
        answer: null,
        refusal
      }
    case "refresh_template":
    case "stop_account":
    case "stop_campaigns":
    case "reauthorize":
      return { outcome: { kind: "pending", dueAt: now, counts: false }, isFailure: null, answer: "answered", refusal }
    case "opt_out":
      return { outcome: toFailedOutcome(refused), isFailure: null, answer: "answered", refusal }
    default:
      return {
        outcome: toFailedOutcome(refused),
        isFailure: recipientRemedies[remedy] ?? null,
        answer: "answered",
        refusal: null
      }
  }
})

/** Returns the result of a call and its effects, where `attempts` includes this call. */
const classifyCallResult = (exit: CallExit, attempts: number): Effect.Effect<CallOutcome> => {
  if (Exit.isSuccess(exit)) {
    const { providerMessageId } = exit.value
    return Effect.succeed({
      outcome: { kind: "sent", providerMessageId },
      isFailure: false,
      answer: "answered",
      refusal: null
    })
  }
  const cause: Cause.Cause<ChannelRefused | ChannelUnreachable | ChannelInDoubt> = exit.cause
  const error = Option.getOrNull(Cause.findErrorOption(cause))
  if (error === null || error._tag === "ChannelInDoubt") return Effect.succeed(inDoubt)
  return error._tag === "ChannelRefused"
    ? classifyRefusal(error, attempts, error)
    : classifyRefusal(unreachable, attempts, null)
}

/** Whether all recipients of this template get the same values. */
const isSameForAll = ({ content }: PreparedCall["outgoing"], { messages }: SendContext) =>
  content.kind === "template" &&
  [...messages.values()].every(
    ({ isSameForAll: isSame, template: { language, name } }) =>
      isSame || name !== content.template.name || language !== content.template.language
  )

/** A value that all recipients get makes each message fail, so the whole broadcast needs a correction. */
const toSharedRefusal = (refused: ChannelRefused) => new ChannelRefused({ ...refused, remedy: "refresh_template" })

/** Calls the provider for a recipient and classifies the result. */
export const callProvider = Effect.fnUntraced(function* ({ attempts, outgoing }: PreparedCall, context: SendContext) {
  const { line, sending } = context
  const call = Effect.mapError(sending.send(line, outgoing), (error) =>
    error._tag === "ChannelRefused" && error.remedy === "fix_values" && isSameForAll(outgoing, context)
      ? toSharedRefusal(error)
      : error
  )
  return yield* classifyCallResult(yield* Effect.exit(call), attempts + 1)
})

/** An outcome of the recipient's call, and the number of failed calls in a row before it. */
interface Answer {
  readonly call: PreparedCall
  readonly at: DateTime.Utc
  readonly failures: number
  readonly outcome: CallOutcome
}

/** Applies an answer to the pace, the backoff and the status of the account, and to the consent of the contact. */
export const applyAnswer = Effect.fnUntraced(function* (
  { at, call: { chatAccountId, contactId }, failures, outcome: { answer, refusal } }: Answer,
  pace: PaceControl,
  unanswered: UnansweredCalls
) {
  const account = { chatAccountId, failures }
  if (refusal?.remedy === "slow_down") yield* pace.slowDown
  if (answer === "silence") yield* retryThroughOutage(recordUnansweredCall(account, unanswered))
  if (answer === "answered") yield* retryThroughOutage(recordAnsweredCall(account, unanswered))
  if (refusal !== null && refusal.remedy !== "slow_down") {
    const { code, reason, remedy, scope } = refusal
    // The provider reports it once. An opt-out or a stopped account must survive a lost connection.
    yield* retryThroughOutage(applyRefusal({ code, reason, remedy, scope, at }, chatAccountId, contactId))
  }
})
