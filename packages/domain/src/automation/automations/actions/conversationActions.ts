import { DateTime, Effect } from "effect"
import type { ContactId } from "../../../crm/index.ts"
import type { ChatAccountId } from "../../../messaging/chat/index.ts"
import {
  autoAssign,
  changeConversations,
  type Conversation,
  type ConversationBulk,
  type ConversationId,
  type ConversationQuery,
  Conversations,
  createNote,
  updateConversation
} from "../../../messaging/inbox/index.ts"
import type { ActionOf } from "./Action.ts"
import { type ActionFacts, doneResult } from "./ActionResult.ts"
import { ActionRefused, ConversationRefused } from "./errors.ts"

const anyConversation: Omit<ConversationQuery, "contactId" | "chatAccountId" | "statuses"> = {
  assignee: null,
  unread: null,
  awaitingReply: null,
  priorities: null,
  labels: null,
  words: null,
  sort: "-lastActivityAt"
}

/** Conversations of a contact to search: by number (`null`: any), with or without resolved ones. */
interface Search {
  readonly chatAccountId: ChatAccountId | null
  readonly statuses: ConversationQuery["statuses"]
}

/** Finds the conversation of the contact with the latest activity; `null` if there is none. */
export const latestConversation = Effect.fnUntraced(function* (contactId: ContactId, search: Search) {
  const query: ConversationQuery = { ...anyConversation, contactId, ...search }
  const { rows } = yield* (yield* Conversations).list(query, { limit: 1, after: null })
  return rows[0]?.conversation ?? null
})

/** Statuses of a conversation that is not resolved. */
export const unresolved = ["open", "pending", "snoozed"] as const

/** Loads the conversation of the event; `null` if it has none, or it is deleted. Refuses a conversation of another contact. */
export const ownConversation = Effect.fnUntraced(function* ({ contactId, conversationId }: ActionFacts) {
  if (conversationId === null) return null
  const found = yield* Effect.option((yield* Conversations).get(conversationId))
  if (found._tag === "None") return null
  const { conversation } = found.value
  return conversation.contactId === contactId ? conversation : yield* new ActionRefused({ reason: "no_conversation" })
})

/** Finds the conversation for inbox actions: the conversation of the event, or else an unresolved one. */
export const targetConversation = Effect.fnUntraced(function* (
  facts: ActionFacts
): Effect.fn.Return<
  Conversation,
  ActionRefused,
  Effect.Services<ReturnType<typeof ownConversation | typeof latestConversation>>
> {
  const own = yield* ownConversation(facts)
  const found = own ?? (yield* latestConversation(facts.contactId, { chatAccountId: null, statuses: unresolved }))
  return found ?? (yield* new ActionRefused({ reason: "no_conversation" }))
})

export const addNote = Effect.fnUntraced(function* ({ mentions = [], text }: ActionOf<"add_note">, facts: ActionFacts) {
  const { id: conversationId } = yield* targetConversation(facts)
  const { id } = yield* createNote({ id: conversationId, text, mentions })
  return doneResult({ kind: "note", id })
})

/** Assigns the conversation of the contact to an available member, or queues it. */
export const executeAutoAssign = Effect.fnUntraced(function* (action: ActionOf<"auto_assign">, facts: ActionFacts) {
  const { id } = yield* targetConversation(facts)
  const assigned = yield* autoAssign(id, action)
  const { kind: result } = assigned
  const assignment =
    assigned.kind === "assigned"
      ? { result, assigneeId: assigned.assigneeId, because: assigned.because }
      : { result, assigneeId: null, because: null }
  return { ...doneResult(result === "unchanged" ? null : { kind: "conversation", id }), assignment }
})

type ConversationAction = ActionOf<"assign" | "set_priority" | "add_labels" | "remove_labels" | "set_status">

/** Converts an action to an inbox bulk action; `null` if the inbox has no such action. */
const toBulkAction = (action: ConversationAction, now: DateTime.Utc): ConversationBulk["action"] | null => {
  if (action.type !== "set_status") return action
  switch (action.status) {
    case "open":
      return { type: "reopen" }
    case "resolved":
      return { type: "resolve" }
    case "snoozed":
      return { type: "snooze", until: DateTime.add(now, { seconds: action.snoozeSeconds ?? 0 }) }
    case "pending":
      return null
  }
}

const applyBulkAction = Effect.fnUntraced(function* (id: ConversationId, action: ConversationBulk["action"]) {
  const { changed, refused } = yield* changeConversations({ ids: [id], action, isBulk: false })
  const [refusal] = refused
  return refusal === undefined ? changed > 0 : yield* new ConversationRefused(refusal)
})

/** Changes the conversation of the contact with the inbox rules for members. */
export const changeConversation = Effect.fnUntraced(function* (action: ConversationAction, facts: ActionFacts) {
  const { id, version } = yield* targetConversation(facts)
  const bulkAction = toBulkAction(action, yield* DateTime.now)
  const hasChanged =
    bulkAction === null
      ? (yield* updateConversation({ id, status: "pending", ifVersion: null })).version > version
      : yield* applyBulkAction(id, bulkAction)
  return doneResult(hasChanged ? { kind: "conversation", id } : null)
})
