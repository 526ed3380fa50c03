import { Effect } from "effect"
import { MessageId } from "../../messaging/inbox/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { recipientIdAt, recipientPrefix } from "../recipientId.ts"
import { RecipientReplies } from "../RecipientReplies.ts"

type Refused = Parameters<RecipientReplies["Service"]["optOut"]>[0]

/** Stores who has opted out at the provider, which therefore has refused what was sent to them, and tells it of each once. */
export const storeOptOuts = Effect.fnUntraced(function* (refused: Refused) {
  if (refused.length === 0) return
  const known = yield* (yield* RecipientReplies).optOut(refused)
  yield* Effect.forEach(
    known,
    ({ broadcastId, contactId, seq }) => {
      const messageId = MessageId.make(recipientIdAt(recipientPrefix(broadcastId), seq))
      return appendEvent({ type: "broadcast.opted_out", broadcastId, contactId, messageId })
    },
    { discard: true }
  )
})
