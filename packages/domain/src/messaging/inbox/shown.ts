import { DateTime, Effect } from "effect"
import { ChatChannels, type MessageSending } from "../chat/index.ts"
import { unchecked } from "../../kernel/index.ts"
import { ConversationView } from "./Conversation.ts"
import type { Conversing } from "./Conversations.ts"
import { isWindowOpen, reachedBy, recipientNow, windowOf } from "./recipients.ts"

const view = unchecked(ConversationView)

/** What is shown of a number whose channel this service does not have any more: nobody is reached through it. */
const unreached = (): Pick<MessageSending, "hasServiceWindow" | "reaches"> => ({
  hasServiceWindow: true,
  reaches: new Set()
})

const viewOf = (
  { contact, conversation, ways }: Conversing,
  sending: Pick<MessageSending, "hasServiceWindow" | "reaches">,
  now: DateTime.Utc
): ConversationView => {
  const {
    contactId: _,
    firstReplyId: __,
    inboundCount,
    otherWindows: ___,
    readCount,
    recipientAt: ____,
    resolvedAt: _____,
    stretch: ______,
    waitRound: _______,
    windowExpiresAt: ________,
    ...shown
  } = conversation
  const recipient = recipientNow(conversation, reachedBy(ways, sending), now)
  const expiresAt = recipient === null || !sending.hasServiceWindow ? null : windowOf(conversation, recipient)
  return view({
    ...shown,
    contact,
    recipient,
    unreadCount: Math.max(0, inboundCount - readCount),
    window: { open: !sending.hasServiceWindow || isWindowOpen(expiresAt, now), expiresAt }
  })
}

/** Conversations as they are shown now. */
export const shownConversations = Effect.fnUntraced(function* (found: ReadonlyArray<Conversing>) {
  const channels = yield* ChatChannels
  const now = yield* DateTime.now
  return found.map((each) => viewOf(each, channels.get(each.provider ?? "")?.sending ?? unreached(), now))
})
