import { DateTime, Effect } from "effect"
import type { ContactId, MergeStep, UndoneMerge } from "../../../crm/index.ts"
import { nextId, type Slice, Uuid } from "../../../kernel/index.ts"
import { Files } from "../../../platform/files/index.ts"
import { ContactConversations, type ConversationMergeChange } from "../ContactConversations.ts"
import type { Media } from "../MediaLibrary.ts"
import type { MessageId } from "../Message.ts"
import { appendEvent } from "../events.ts"
import { scheduleWakeUps } from "../snoozing.ts"
import { Waits } from "../waiting/Waits.ts"
import { waitTransition, waitsChangedEvent } from "../waiting/waitTransitions.ts"
import { currentAuthor } from "../writing/messageWriting.ts"

const changedFields = ({ after, before }: ConversationMergeChange): ReadonlyArray<string> => {
  const changes = [
    ["priority", before.priority, after.priority],
    ["labels", before.labels, after.labels],
    ["recipient", before.recipient, after.recipient],
    ["waitingSince", before.waitingSince, after.waitingSince],
    ["unreadCount", before.inboundCount - before.readCount, after.inboundCount - after.readCount],
    ...(before.status === after.status ? [["snoozedUntil", before.snoozedUntil, after.snoozedUntil] as const] : [])
  ] as const
  return changes.flatMap(([name, from, to]) => (JSON.stringify(from) === JSON.stringify(to) ? [] : [name]))
}

const append = Effect.fnUntraced(function* (change: ConversationMergeChange) {
  const { assigneeId, chatAccountId, id: conversationId, status: to } = change.after
  const { status: from } = change.before
  const waits = waitTransition(chatAccountId, change.before, change.after)
  if (from !== to) {
    yield* appendEvent({ type: "conversation.status_changed", conversationId, from, to, chatAccountId, ...waits })
  }
  if (change.before.assigneeId !== assigneeId) {
    yield* appendEvent({ type: "conversation.assigned", conversationId, assigneeId })
  }
  const fields = changedFields(change)
  if (fields.length > 0) {
    // The wait transition is reported once.
    const moved = from === to ? waits : {}
    yield* appendEvent({ type: "conversation.updated", conversationId, fields, ...moved })
  }
})

/** Publishes joined or separated conversations: as a system entry in each of them, and as events. */
const publishConversationMerges = Effect.fnUntraced(function* (
  changes: ReadonlyArray<ConversationMergeChange>,
  textOf: (change: ConversationMergeChange) => string
) {
  if (changes.length === 0) return
  const at = yield* DateTime.now
  const by = yield* currentAuthor
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
  yield* scheduleWakeUps(changes)
})

/** Returns a file with the URL of its bytes. */
const toExportedMedia = ({ createdAt, filename, id, kind, mimeType, size }: Media) => ({
  id,
  kind,
  mimeType,
  filename,
  size,
  createdAt,
  url: `/api/v1/media/${id}`
})

const mergedText =
  (changes: ReadonlyArray<ConversationMergeChange>) =>
  ({ after: { chatAccountId, id, status } }: ConversationMergeChange) => {
    const beside = changes.find(({ after }) => after.chatAccountId === chatAccountId && after.id !== id)?.after.id
    return status === "resolved"
      ? `The contacts were merged. The conversation continues in ${beside}.`
      : `The contacts were merged. The conversation ${beside} was merged into this one.`
  }

const separatedText = () => "The merge of the contacts was undone. This conversation is separate again."

/** Contact data owner of the inbox: all messages with a contact, and the team's notes. */
export const conversationData = {
  permission: "conversations.read" as const,
  timeline: Effect.fnUntraced(function* (contactId: ContactId, slice: Slice) {
    return yield* (yield* ContactConversations).timeline(contactId, slice)
  }),
  export: Effect.fnUntraced(function* (contactId: ContactId, limit: number) {
    const { conversations, media, messages, notes } = yield* (yield* ContactConversations).correspondence(
      contactId,
      limit
    )
    return { conversations, messages, notes, media: media.map(toExportedMedia) }
  }),
  nothing: { conversations: [], messages: [], notes: [], media: [] },
  move: Effect.fnUntraced(function* ({ from, mergeId, to }: MergeStep, now: DateTime.Utc) {
    const changes = yield* (yield* ContactConversations).handOver(from, to, mergeId, now)
    yield* publishConversationMerges(changes, mergedText(changes))
  }),
  moveBack: Effect.fnUntraced(function* (undone: UndoneMerge, now: DateTime.Utc) {
    yield* publishConversationMerges(yield* (yield* ContactConversations).handBack(undone, now), separatedText)
  }),
  block: Effect.fnUntraced(function* (contactId: ContactId) {
    for (const { chatAccountId, id } of yield* (yield* Waits).drop(contactId)) {
      yield* appendEvent(waitsChangedEvent(id, { chatAccountId, awaits: "ends" }))
    }
  }),
  forget: Effect.fnUntraced(function* (contactIds: ReadonlyArray<ContactId>) {
    const files = yield* Files
    const left = yield* (yield* ContactConversations).forget(contactIds)
    yield* Effect.forEach(left, (id) => files.remove(id), { discard: true })
  })
}
