import { Cause, DateTime, Effect, Exit, Option } from "effect"
import type {
  Accepted,
  ChannelInDoubt,
  ChannelRefused,
  ChannelUnreachable,
  Remedy
} from "../../messaging/chat/index.ts"
import { messageErrorOf, waitFor } from "../../messaging/inbox/index.ts"
import type { RecipientOutcome } from "../RecipientLedger.ts"

/** What follows from a call beyond its recipient. */
export interface Judgement {
  readonly outcome: RecipientOutcome
  /** Whether it counts as a failure of the broadcast; `null` where it does not count at all. */
  readonly isFailure: boolean | null
  /** Whether the provider was there to answer; `null` where that says nothing. */
  readonly answer: "answered" | "silence" | null
  /** What the provider has refused, where that is about more than the recipient. */
  readonly refusal: ChannelRefused | null
}

type CallExit = Exit.Exit<Accepted, ChannelRefused | ChannelUnreachable | ChannelInDoubt>

const inDoubt: Judgement = {
  outcome: { kind: "in_doubt" },
  isFailure: null,
  answer: "silence",
  refusal: null
}

const unreachable = {
  remedy: "retry" as const,
  code: null,
  reason: "The chat provider could not be reached.",
  retryAfterMillis: null
}

interface Refused {
  readonly remedy: Remedy
  readonly code: number | null
  readonly reason: string
  readonly retryAfterMillis: number | null
}

const failed = (refused: Refused): RecipientOutcome => ({
  kind: "failed",
  error: { ...messageErrorOf({ ...refused, code: refused.code ?? 0 }), providerCode: refused.code }
})

const isAboutRecipient: Partial<Readonly<Record<Remedy, boolean>>> = {
  skip_recipient: true,
  skip_for_now: true,
  needs_template: true,
  give_up: true
}

/** When it is tried again; `null` if it was tried often enough. */
const again = Effect.fnUntraced(function* (refused: Refused, attempts: number) {
  const wait = yield* waitFor(refused.remedy, attempts, refused.retryAfterMillis)
  return wait === null ? null : DateTime.addDuration(yield* DateTime.now, wait)
})

const judgeRefusal = Effect.fnUntraced(function* (
  refused: Refused,
  attempts: number,
  refusal: ChannelRefused | null
): Effect.fn.Return<Judgement> {
  const { remedy } = refused
  const now = yield* DateTime.now
  switch (remedy) {
    case "retry":
    case "delay_recipient": {
      const dueAt = yield* again(refused, attempts)
      return {
        outcome: dueAt === null ? failed(refused) : { kind: "pending", dueAt, counts: true },
        isFailure: null,
        answer: remedy === "retry" ? "silence" : "answered",
        refusal: null
      }
    }
    case "slow_down":
      return {
        outcome: { kind: "pending", dueAt: (yield* again(refused, 1)) ?? now, counts: false },
        isFailure: null,
        answer: null,
        refusal
      }
    case "refresh_template":
    case "stop_account":
    case "reauthorize":
      return { outcome: { kind: "pending", dueAt: now, counts: false }, isFailure: null, answer: "answered", refusal }
    case "opt_out":
      return { outcome: failed(refused), isFailure: null, answer: "answered", refusal }
    default:
      return {
        outcome: failed(refused),
        isFailure: isAboutRecipient[remedy] ?? null,
        answer: "answered",
        refusal: null
      }
  }
})

/** Says what has become of a recipient that was called for the `attempts`th time, and what follows from it. */
export const judgeCall = (exit: CallExit, attempts: number): Effect.Effect<Judgement> => {
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
    ? judgeRefusal(error, attempts, error)
    : judgeRefusal(unreachable, attempts, null)
}
