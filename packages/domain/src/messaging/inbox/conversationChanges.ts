import { DateTime, Effect, Equal } from "effect"
import { CurrentActor, NotFound, toActorRef } from "../../kernel/index.ts"
import { recordAudit } from "../../platform/audit/index.ts"
import { Conversation } from "./Conversation.ts"
import { Conversations } from "./Conversations.ts"
import type { ConversationId } from "./Message.ts"
import { recordAssignments } from "./assigning/AssignmentQueue.ts"
import { withEpisodeResolved } from "./conversationStates.ts"
import { toConversationViews } from "./conversationViews.ts"
import { ConversationExists } from "./errors.ts"
import { appendEvent } from "./events.ts"
import { isSameRecipient } from "./recipients.ts"
import { scheduleWakeUps } from "./snoozing.ts"
import { waitTransition } from "./waiting/waitTransitions.ts"

/** Locked conversation before and after a change by the team. */
export interface ConversationChange {
  readonly before: Conversation
  readonly after: Conversation
}

/** Audited fields of a conversation. They identify no person. */
export const conversationAuditFields = ({
  assigneeId,
  labels,
  priority,
  recipient,
  snoozedUntil,
  status
}: Conversation) => ({
  status,
  priority,
  assigneeId,
  snoozedUntil: snoozedUntil === null ? null : DateTime.formatIso(snoozedUntil),
  labels: [...labels],
  recipient: recipient?.kind ?? null
})

const hasSameRecipient = ({ after: { recipient: to }, before: { recipient: from } }: ConversationChange) =>
  to === from || (to !== null && from !== null && isSameRecipient(to, from))

/** Whether the change has no effect. */
export const isSameConversation = ({ after, before }: ConversationChange): boolean =>
  hasSameRecipient({ after, before }) &&
  JSON.stringify(conversationAuditFields(after)) === JSON.stringify(conversationAuditFields(before))

const publishChange = Effect.fnUntraced(function* ({ after, before }: ConversationChange, isBulk: boolean) {
  const { assigneeId, chatAccountId, id: conversationId, status: to } = after
  const { status: from } = before
  if (from !== to) {
    const moved = {
      chatAccountId,
      ...waitTransition(chatAccountId, before, after),
      ...(isBulk && { bulk: true as const })
    }
    yield* appendEvent({ type: "conversation.status_changed", conversationId, from, to, ...moved })
  }
  if (before.assigneeId !== assigneeId) {
    const bulk = isBulk ? { bulk: true as const } : {}
    yield* appendEvent({ type: "conversation.assigned", conversationId, assigneeId, ...bulk })
  }
  const fields = [
    ...(before.priority === after.priority ? [] : ["priority"]),
    ...(from !== to || Equal.equals(before.snoozedUntil, after.snoozedUntil) ? [] : ["snoozedUntil"]),
    ...(JSON.stringify(before.labels) === JSON.stringify(after.labels) ? [] : ["labels"]),
    ...(hasSameRecipient({ after, before }) ? [] : ["recipient"])
  ]
  if (fields.length > 0) yield* appendEvent({ type: "conversation.updated", conversationId, fields })
})

/**
 * Stores changes of conversations by the team, with their events and audit entries. `isBulk` marks a change of many
 * conversations.
 */
export const saveConversationChanges = Effect.fnUntraced(function* (
  changes: ReadonlyArray<ConversationChange>,
  isBulk = false
) {
  if (changes.length === 0) return
  const actor = toActorRef(yield* CurrentActor)
  yield* (yield* Conversations).saveAll(changes.map(({ after, before }) => withEpisodeResolved(before, after, actor)))
  for (const { after, before } of changes) {
    const target = { kind: "conversation", id: before.id }
    yield* recordAudit("conversation.updated", target, {
      before: conversationAuditFields(before),
      after: conversationAuditFields(after)
    })
    yield* publishChange({ after, before }, isBulk)
  }
  yield* recordAssignments(changes)
  yield* scheduleWakeUps(changes)
})

export const lockConversation = Effect.fnUntraced(function* (id: ConversationId) {
  const [conversation] = yield* (yield* Conversations).lock([id])
  return conversation ?? (yield* new NotFound({ resource: "conversation" }))
})

export const loadConversationView = Effect.fnUntraced(function* (id: ConversationId) {
  const [shown] = yield* toConversationViews([yield* (yield* Conversations).get(id)])
  return shown ?? (yield* Effect.die(new Error("A conversation was not shown.")))
})

/** Changes a conversation like `changeConversation`, and additionally allows reopening a resolved one. */
export const changeOrReopenConversation = Effect.fnUntraced(function* <E, R>(
  id: ConversationId,
  change: (before: Conversation, now: DateTime.Utc) => Effect.Effect<Conversation, E, R>
) {
  const before = yield* lockConversation(id)
  const after = yield* change(before, yield* DateTime.now)
  if (!isSameConversation({ before, after })) yield* saveConversationChanges([{ before, after }])
  return yield* loadConversationView(id)
})

/** Changes a conversation and returns its new view. */
export const changeConversation = <E, R>(
  id: ConversationId,
  change: (before: Conversation, now: DateTime.Utc) => Effect.Effect<Conversation, E, R>
) =>
  Effect.catchIf(
    changeOrReopenConversation(id, change),
    (error): error is ConversationExists => error instanceof ConversationExists,
    Effect.die
  )

/** Marks all incoming messages as read. */
export const markRead = Effect.fnUntraced(function* (unread: ReadonlyArray<Conversation>) {
  if (unread.length === 0) return
  const now = yield* DateTime.now
  const read = unread.map((before) => new Conversation({ ...before, readCount: before.inboundCount, updatedAt: now }))
  yield* Effect.catchTag((yield* Conversations).saveAll(read), "ConversationExists", Effect.die)
  for (const { id } of unread) yield* appendEvent({ type: "conversation.read", conversationId: id })
})

/** Marks the last incoming message as unread. */
export const markUnread = Effect.fnUntraced(function* (read: ReadonlyArray<Conversation>) {
  if (read.length === 0) return
  const now = yield* DateTime.now
  const unread = read.map(
    (before) => new Conversation({ ...before, readCount: before.inboundCount - 1, updatedAt: now })
  )
  yield* Effect.catchTag((yield* Conversations).saveAll(unread), "ConversationExists", Effect.die)
  for (const { id } of read) yield* appendEvent({ type: "conversation.unread", conversationId: id })
})

/** Whether an incoming message is unread. */
export const isUnread = ({ inboundCount, readCount }: Conversation): boolean => readCount < inboundCount
