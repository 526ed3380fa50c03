import { Cause, Effect, Exit, Option } from "effect"
import type { ChannelFailure, Outgoing, TemplateFilling } from "../../messaging/chat/index.ts"
import type { PhoneNumber } from "../../crm/index.ts"
import { messageErrorOf, type Pace } from "../../messaging/inbox/index.ts"
import { Ids } from "../../kernel/index.ts"
import type { BroadcastTestResult } from "../BroadcastTest.ts"
import type { Surroundings } from "../sending/Surroundings.ts"

/** What came of a message that was not sent. */
export const failedFor = (error: ChannelFailure) => {
  const refused =
    error._tag === "ChannelRefused"
      ? { remedy: error.remedy, code: error.code ?? 0, reason: error.reason }
      : { remedy: "retry" as const, code: 0, reason: "The chat provider could not be reached." }
  return (to: PhoneNumber): BroadcastTestResult => ({ to, status: "failed", error: messageErrorOf(refused) })
}

/** Sends a message to try a broadcast, at the pace of the account: a person waits for it, so it goes before what is much. */
export const sendTest = Effect.fnUntraced(function* (
  to: PhoneNumber,
  template: TemplateFilling,
  { line, sending }: Surroundings,
  pace: Pace
): Effect.fn.Return<BroadcastTestResult, never, Ids> {
  const message: Outgoing = {
    to: { kind: "phone", value: to },
    content: { kind: "template", template },
    replyTo: null,
    reference: yield* (yield* Ids).next
  }
  yield* pace.take("person")
  const exit = yield* Effect.exit(sending.send(line, message))
  if (Exit.isSuccess(exit)) return { to, status: "sent", error: null }
  const error = Option.getOrNull(Cause.findErrorOption(exit.cause))
  if (error === null || error._tag === "ChannelInDoubt") return { to, status: "in_doubt", error: null }
  if (error._tag === "ChannelRefused" && error.remedy === "slow_down") yield* pace.slowDown
  return failedFor(error)(to)
})
