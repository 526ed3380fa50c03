import { DateTime, Effect, Equal } from "effect"
import { record } from "../../platform/audit/index.ts"
import { CurrentActor, refer } from "../../kernel/index.ts"
import { appendEvent } from "./appendEvent.ts"
import { noteHandedOver } from "./assigning/noteHandedOver.ts"
import type { Conversation } from "./Conversation.ts"
import { Conversations } from "./Conversations.ts"
import { sameRecipient } from "./recipients.ts"
import { scheduleWaking } from "./snoozing/scheduleWaking.ts"
import { awaitsMove } from "./waiting/moves.ts"
import { resolvedBy } from "./waiting/stretches.ts"

/** A locked conversation, before and after a change of the team. */
export interface ConversationChange {
  readonly before: Conversation
  readonly after: Conversation
}

/** What the audit trail keeps of a conversation: nothing that a person could be known by. */
export const audited = ({ assigneeId, labels, priority, recipient, snoozedUntil, status }: Conversation) => ({
  status,
  priority,
  assigneeId,
  snoozedUntil: snoozedUntil === null ? null : DateTime.formatIso(snoozedUntil),
  labels: [...labels],
  recipient: recipient?.kind ?? null
})

const isAddressedAlike = ({ after: { recipient: to }, before: { recipient: from } }: ConversationChange) =>
  to === from || (to !== null && from !== null && sameRecipient(to, from))

/** Whether the team has made anything else of it. */
export const isSame = ({ after, before }: ConversationChange): boolean =>
  isAddressedAlike({ after, before }) && JSON.stringify(audited(after)) === JSON.stringify(audited(before))

const tell = Effect.fnUntraced(function* ({ after, before }: ConversationChange, isBulk: boolean) {
  const { assigneeId, chatAccountId, id: conversationId, status: to } = after
  const { status: from } = before
  if (from !== to) {
    const moved = { chatAccountId, ...awaitsMove(chatAccountId, before, after), ...(isBulk && { bulk: true as const }) }
    yield* appendEvent({ type: "conversation.status_changed", conversationId, from, to, ...moved })
  }
  if (before.assigneeId !== assigneeId) {
    yield* appendEvent({ type: "conversation.assigned", conversationId, assigneeId })
  }
  const fields = [
    ...(before.priority === after.priority ? [] : ["priority"]),
    ...(from !== to || Equal.equals(before.snoozedUntil, after.snoozedUntil) ? [] : ["snoozedUntil"]),
    ...(JSON.stringify(before.labels) === JSON.stringify(after.labels) ? [] : ["labels"]),
    ...(isAddressedAlike({ after, before }) ? [] : ["recipient"])
  ]
  if (fields.length > 0) yield* appendEvent({ type: "conversation.updated", conversationId, fields })
})

/** Stores what the team has made of conversations, one by one or of many at once (`isBulk`), and leaves the traces of it. */
export const keepConversations = Effect.fnUntraced(function* (
  changes: ReadonlyArray<ConversationChange>,
  isBulk = false
) {
  if (changes.length === 0) return
  const actor = refer(yield* CurrentActor)
  yield* (yield* Conversations).saveAll(changes.map(({ after, before }) => resolvedBy(before, after, actor)))
  for (const { after, before } of changes) {
    const target = { kind: "conversation", id: before.id }
    yield* record("conversation.updated", target, { before: audited(before), after: audited(after) })
    yield* tell({ after, before }, isBulk)
  }
  yield* noteHandedOver(changes)
  yield* scheduleWaking(changes)
})
