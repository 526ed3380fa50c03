import { type DateTime, Effect } from "effect"
import { Contacts } from "../../../crm/index.ts"
import { NotFound, requireVersion, transact, useCase } from "../../../kernel/index.ts"
import { channelFor } from "../../chat/index.ts"
import { type Assignee, Conversation, type ConversationPatch } from "../Conversation.ts"
import { Conversations } from "../Conversations.ts"
import type { ConversationId, RecipientChoice } from "../Message.ts"
import { lockAssignee } from "../assignees.ts"
import {
  changeConversation,
  isUnread,
  lockConversation,
  markRead,
  markUnread,
  changeOrReopenConversation,
  loadConversationView
} from "../conversationChanges.ts"
import { withAssignee, checkSnooze, withStatus, applyConversationPatch, withSnooze } from "../conversationStates.ts"
import { withRecipient, isSameRecipient } from "../recipients.ts"
import { chosenRecipient } from "../writing/recipientResolution.ts"

/** Directs messages to another identity of the contact, until one of its identities writes. */
const withChosenRecipient = Effect.fnUntraced(function* (
  before: Conversation,
  chosen: RecipientChoice,
  now: DateTime.Utc
) {
  const [contact] = yield* (yield* Contacts).find([before.contactId])
  if (contact === undefined) return yield* new NotFound({ resource: "contact" })
  const { provider } = yield* (yield* Conversations).get(before.id)
  const sending = yield* channelFor({ provider: provider ?? "" }, "sending")
  const recipient = yield* chosenRecipient(contact, chosen, sending)
  return before.recipient !== null && isSameRecipient(before.recipient, recipient)
    ? before
    : new Conversation({ ...withRecipient(before, recipient, now), updatedAt: now })
})

/** Changes the fields of a conversation. */
export const updateConversation = useCase(
  {
    name: "conversations.update",
    access: { permission: "conversations.manage" },
    audit: "conversation.updated",
    emits: ["conversation.updated"]
  },
  Effect.fnUntraced(function* ({
    id,
    ifVersion,
    ...patch
  }: { readonly id: ConversationId; readonly ifVersion: number | null } & ConversationPatch) {
    const { assigneeId, fits } = yield* lockAssignee(patch.assigneeId ?? null, "/assigneeId")
    const { assigneeId: _said, ...others } = patch
    const wanted = patch.assigneeId === undefined ? others : { ...others, assigneeId }
    return yield* changeOrReopenConversation(
      id,
      Effect.fnUntraced(function* (before, now) {
        yield* requireVersion(before, ifVersion)
        if (assigneeId !== before.assigneeId) yield* fits
        const changed = yield* applyConversationPatch(before, wanted, now)
        return patch.recipient === undefined ? changed : yield* withChosenRecipient(changed, patch.recipient, now)
      })
    )
  }, transact)
)

/** Assigns a conversation to a member; `null` removes the assignee. */
export const assignConversation = useCase(
  {
    name: "conversations.assign",
    access: { permission: "conversations.manage" },
    audit: "conversation.updated",
    emits: ["conversation.assigned"]
  },
  Effect.fnUntraced(function* ({
    id,
    assigneeId: input
  }: {
    readonly id: ConversationId
    readonly assigneeId: Assignee
  }) {
    const { assigneeId, fits } = yield* lockAssignee(input, "/assigneeId")
    return yield* changeConversation(id, (before, now) => Effect.as(fits, withAssignee(before, assigneeId, now)))
  }, transact)
)

/** Snoozes a conversation until then, or until the contact writes. A snoozed one gets the new time. */
export const snoozeConversation = useCase(
  {
    name: "conversations.snooze",
    access: { permission: "conversations.manage" },
    audit: "conversation.updated",
    emits: ["conversation.status_changed"]
  },
  Effect.fnUntraced(function* ({ id, until }: { readonly id: ConversationId; readonly until: DateTime.Utc }) {
    return yield* changeConversation(
      id,
      Effect.fnUntraced(function* (before, now) {
        yield* checkSnooze(until, now, "/until")
        return yield* withSnooze(before, until, now)
      })
    )
  }, transact)
)

/** Resolves a conversation. */
export const resolveConversation = useCase(
  {
    name: "conversations.resolve",
    access: { permission: "conversations.manage" },
    audit: "conversation.updated",
    emits: ["conversation.status_changed"]
  },
  Effect.fnUntraced(function* ({ id }: { readonly id: ConversationId }) {
    return yield* changeConversation(id, (before, now) => withStatus(before, "resolved", now))
  }, transact)
)

/** Reopens a conversation, unless the contact has another unresolved one over the same number by now. */
export const reopenConversation = useCase(
  {
    name: "conversations.reopen",
    access: { permission: "conversations.manage" },
    audit: "conversation.updated",
    emits: ["conversation.status_changed"]
  },
  Effect.fnUntraced(function* ({ id }: { readonly id: ConversationId }) {
    return yield* changeOrReopenConversation(id, (before, now) => withStatus(before, "open", now))
  }, transact)
)

/** Marks all incoming messages as read. */
export const readConversation = useCase(
  { name: "conversations.read", access: { permission: "conversations.manage" }, emits: ["conversation.read"] },
  Effect.fnUntraced(function* ({ id }: { readonly id: ConversationId }) {
    const before = yield* lockConversation(id)
    if (isUnread(before)) yield* markRead([before])
    return yield* loadConversationView(id)
  }, transact)
)

/** Marks the last incoming message as unread. */
export const unreadConversation = useCase(
  { name: "conversations.unread", access: { permission: "conversations.manage" }, emits: ["conversation.unread"] },
  Effect.fnUntraced(function* ({ id }: { readonly id: ConversationId }) {
    const before = yield* lockConversation(id)
    if (!isUnread(before)) yield* markUnread([before])
    return yield* loadConversationView(id)
  }, transact)
)
