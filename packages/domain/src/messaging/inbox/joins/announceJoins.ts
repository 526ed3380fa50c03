import { DateTime, Effect } from "effect"
import { nextId, Uuid } from "../../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { ContactConversations, type JoinedConversation } from "../ContactConversations.ts"
import type { MessageId } from "../Ids.ts"
import { awaitsMove } from "../waiting/moves.ts"
import { scheduleWaking } from "../snoozing/scheduleWaking.ts"
import { authorNow } from "../writing/authorNow.ts"

const fieldsOf = ({ after, before }: JoinedConversation): ReadonlyArray<string> => {
  const said = [
    ["priority", before.priority, after.priority],
    ["labels", before.labels, after.labels],
    ["recipient", before.recipient, after.recipient],
    ["waitingSince", before.waitingSince, after.waitingSince],
    ["unreadCount", before.inboundCount - before.readCount, after.inboundCount - after.readCount],
    ...(before.status === after.status ? [["snoozedUntil", before.snoozedUntil, after.snoozedUntil] as const] : [])
  ] as const
  return said.flatMap(([name, from, to]) => (JSON.stringify(from) === JSON.stringify(to) ? [] : [name]))
}

const append = Effect.fnUntraced(function* (change: JoinedConversation) {
  const { assigneeId, chatAccountId, id: conversationId, status: to } = change.after
  const { status: from } = change.before
  const waits = awaitsMove(chatAccountId, change.before, change.after)
  if (from !== to) {
    yield* appendEvent({ type: "conversation.status_changed", conversationId, from, to, chatAccountId, ...waits })
  }
  if (change.before.assigneeId !== assigneeId) {
    yield* appendEvent({ type: "conversation.assigned", conversationId, assigneeId })
  }
  const fields = fieldsOf(change)
  if (fields.length > 0) {
    // Who waits is told once.
    const moved = from === to ? waits : {}
    yield* appendEvent({ type: "conversation.updated", conversationId, fields, ...moved })
  }
})

/** Announces joined or separated conversations: with a system entry in each of them, and as events. */
export const announceJoins = Effect.fnUntraced(function* (
  changes: ReadonlyArray<JoinedConversation>,
  textOf: (change: JoinedConversation) => string
) {
  if (changes.length === 0) return
  const at = yield* DateTime.now
  const by = yield* authorNow
  const entries = yield* Effect.forEach(
    changes,
    Effect.fnUntraced(function* (change) {
      const { chatAccountId, id: conversationId } = change.after
      const id = (yield* nextId(Uuid)) as MessageId
      return { id, conversationId, chatAccountId, text: textOf(change), author: by, at }
    })
  )
  yield* (yield* ContactConversations).enter(entries)
  yield* Effect.forEach(changes, append, { discard: true })
  yield* scheduleWaking(changes)
})
