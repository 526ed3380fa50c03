import { DateTime, Effect } from "effect"
import { transact } from "../../../kernel/index.ts"
import type { MessageError } from "../Message.ts"
import { Messages } from "../Messages.ts"
import type { SendLease } from "../SendQueue.ts"
import { appendEvent } from "../events.ts"
import { messageErrorCodes, withProgress } from "../messageProgress.ts"

/** Returns the reason of a queued message that waits for its recipient. `providerCode` is `null` if the provider was not asked. */
export const recipientWait = (providerCode: number | null, until: DateTime.Utc): MessageError => ({
  code: messageErrorCodes.delay_recipient,
  providerCode,
  reason: "Too many messages went to this recipient in a short time. Parley sends this one later.",
  dueAt: DateTime.formatIso(until)
})

/** Shows why a queued message waits, and until when. The result of its next attempt replaces it. */
export const showWait = Effect.fnUntraced(function* (lease: SendLease, error: MessageError) {
  const messages = yield* Messages
  const { chatAccountId, conversationId, messageId } = lease
  const [before] = yield* messages.lock(chatAccountId, [messageId])
  if (before?.status !== "queued") return
  yield* messages.saveAll(chatAccountId, [withProgress(before, { error })])
  yield* appendEvent({ type: "message.updated", conversationId, messageId, fields: ["error"] })
}, transact)
