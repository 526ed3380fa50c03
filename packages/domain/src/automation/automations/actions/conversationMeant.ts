import { Effect } from "effect"
import type { ChatAccountId } from "../../../messaging/chat/index.ts"
import type { ContactId } from "../../../crm/index.ts"
import { type Conversation, type ConversationQuery, Conversations } from "../../../messaging/inbox/index.ts"
import type { ActionFacts } from "./ActionFacts.ts"
import { ActionRefused } from "./Errors.ts"

const anyOf: Omit<ConversationQuery, "contactId" | "chatAccountId" | "statuses"> = {
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
  const query: ConversationQuery = { ...anyOf, contactId, ...search }
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
export const conversationMeant = Effect.fnUntraced(function* (
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
