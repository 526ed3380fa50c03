import { Effect } from "effect"
import { EventLog } from "../../platform/events/index.ts"
import type { ConversationId, MessageId } from "../../messaging/inbox/index.ts"
import type { Book } from "../AnalyticsBooks.ts"
import { readFollowed } from "./readFollowed.ts"

/** How many events are read at once. */
const stride = 1_000

/** What has come in these conversations, as the log tells, and is not counted yet. */
export const uncountedMessages = Effect.fnUntraced(function* (
  { position }: Book,
  conversationIds: ReadonlySet<ConversationId>
) {
  const log = yield* EventLog
  const found = new Set<MessageId>()
  let after = position
  while (true) {
    const logged = yield* log.list(["message.received"], { after: [String(after)], limit: stride })
    for (const { event } of yield* readFollowed(logged)) {
      if (event.type === "message.received" && conversationIds.has(event.conversationId)) found.add(event.messageId)
    }
    if (logged.length < stride) return found
    after = logged.at(-1)?.position ?? after
  }
})
