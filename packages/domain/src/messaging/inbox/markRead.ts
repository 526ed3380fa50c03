import { DateTime, Effect } from "effect"
import { appendEvent } from "./appendEvent.ts"
import { Conversation } from "./Conversation.ts"
import { Conversations } from "./Conversations.ts"

/** Stores that somebody has read all that came in. */
export const markRead = Effect.fnUntraced(function* (unread: ReadonlyArray<Conversation>) {
  if (unread.length === 0) return
  const now = yield* DateTime.now
  const read = unread.map((before) => new Conversation({ ...before, readCount: before.inboundCount, updatedAt: now }))
  yield* Effect.catchTag((yield* Conversations).saveAll(read), "ConversationExists", Effect.die)
  for (const { id } of unread) yield* appendEvent({ type: "conversation.read", conversationId: id })
})

/** Stores that the last of what came in is to be read again. */
export const markUnread = Effect.fnUntraced(function* (read: ReadonlyArray<Conversation>) {
  if (read.length === 0) return
  const now = yield* DateTime.now
  const unread = read.map(
    (before) => new Conversation({ ...before, readCount: before.inboundCount - 1, updatedAt: now })
  )
  yield* Effect.catchTag((yield* Conversations).saveAll(unread), "ConversationExists", Effect.die)
  for (const { id } of read) yield* appendEvent({ type: "conversation.unread", conversationId: id })
})

/** Whether something came in that nobody has read. */
export const isUnread = ({ inboundCount, readCount }: Conversation): boolean => readCount < inboundCount
