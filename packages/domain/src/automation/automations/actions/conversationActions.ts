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

/** Which conversations of a contact to look at: over which number (`null`: any), and whether resolved ones are meant, too. */
interface Search {
  readonly chatAccountId: ChatAccountId | null
  readonly statuses: ConversationQuery["statuses"]
}

/** The conversation of the contact in which something happened last; `null` if there is none. */
export const latestConversation = Effect.fnUntraced(function* (contactId: ContactId, search: Search) {
  const query: ConversationQuery = { ...anyConversation, contactId, ...search }
  const { rows } = yield* (yield* Conversations).list(query, { limit: 1, after: null })
  return rows[0]?.conversation ?? null
})

/** Those of a conversation that is going on. */
export const unresolved = ["open", "pending", "snoozed"] as const

/** The conversation that the event is about; `null` where it is about none, or where that one is gone. Of somebody else it is none to write into. */
export const ownConversation = Effect.fnUntraced(function* ({ contactId, conversationId }: ActionFacts) {
  if (conversationId === null) return null
  const found = yield* Effect.option((yield* Conversations).get(conversationId))
  if (found._tag === "None") return null
  const { conversation } = found.value
  return conversation.contactId === contactId ? conversation : yield* new ActionRefused({ reason: "no_conversation" })
})

/** The conversation that actions of the inbox are about: that of the event, or else the contact's that is not resolved. */
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

/** Writes a note on the conversation of the contact. */
export const addNote = Effect.fnUntraced(function* ({ mentions = [], text }: ActionOf<"add_note">, facts: ActionFacts) {
  const { id: conversationId } = yield* targetConversation(facts)
  const { id } = yield* createNote(conversationId, { text, mentions })
  return doneResult({ kind: "note", id })
})

/** Hands the conversation of the contact to whoever is free, or has it wait for somebody. */
export const executeAutoAssign = Effect.fnUntraced(function* (action: ActionOf<"auto_assign">, facts: ActionFacts) {
  const { id } = yield* targetConversation(facts)
  const { kind } = yield* autoAssign(id, action)
  return doneResult(kind === "unchanged" ? null : { kind: "conversation", id })
})

type ConversationAction = ActionOf<"assign" | "set_priority" | "add_labels" | "remove_labels" | "set_status">

/** The action in the words of the inbox; `null` where it has none. */
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
  const { changed, refused } = yield* changeConversations({ ids: [id], action }, false)
  const [refusal] = refused
  return refusal === undefined ? changed > 0 : yield* new ConversationRefused(refusal)
})

/** Changes the conversation of the contact, as the team would. */
export const changeConversation = Effect.fnUntraced(function* (action: ConversationAction, facts: ActionFacts) {
  const { id, version } = yield* targetConversation(facts)
  const said = toBulkAction(action, yield* DateTime.now)
  const hasChanged =
    said === null
      ? (yield* updateConversation(id, { status: "pending" }, null)).version > version
      : yield* applyBulkAction(id, said)
  return doneResult(hasChanged ? { kind: "conversation", id } : null)
})
