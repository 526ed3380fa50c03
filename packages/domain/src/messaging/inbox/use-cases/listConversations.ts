import { Effect } from "effect"
import { type ChatAccountId, ChatAccounts } from "../../chat/index.ts"
import { type ContactId, Contacts } from "../../../crm/index.ts"
import { Members } from "../../../platform/identity/index.ts"
import { NotFound, pagedWithin, type PageRequest, useCase, type UserId } from "../../../kernel/index.ts"
import { me } from "../assignees.ts"
import type { ConversationStatus, Priority } from "../Conversation.ts"
import { Conversations, type ConversationSort } from "../Conversations.ts"
import { conversationKey } from "../conversationOrder.ts"
import { expandConversations } from "../expandConversations.ts"
import type { ConversationExpansion } from "../ExpandedConversation.ts"
import { shownConversations } from "../shown.ts"
import { searchedWords } from "../words.ts"

/** What a list of conversations may be asked for; every part that is given must hold. */
export interface ConversationListRequest {
  readonly status?: ReadonlyArray<ConversationStatus>
  /** `me` is whoever asks. */
  readonly assignee?: UserId | "me" | "none"
  readonly unread?: boolean
  /** Whether the contact waits for an answer. */
  readonly awaitingReply?: boolean
  readonly priority?: ReadonlyArray<Priority>
  /** Any of these. */
  readonly label?: ReadonlyArray<string>
  readonly chatAccountId?: ChatAccountId
  readonly contactId?: ContactId
  /** Words that a message has. */
  readonly q?: string
  readonly sort?: ConversationSort
  /** What of that which conversations name is given beside its ids. */
  readonly expand?: ReadonlyArray<ConversationExpansion>
}

const assigneeOf = (asked: ConversationListRequest["assignee"]) =>
  asked === "me" ? me("/assignee") : Effect.succeed(asked ?? null)

/** Refuses to look for what is not there, so that a slip is no empty list. */
const requireNamed = Effect.fnUntraced(function* ({ assignee, chatAccountId, contactId }: ConversationListRequest) {
  if (assignee !== undefined && assignee !== "me" && assignee !== "none") {
    const member = yield* (yield* Members).findByUser(assignee)
    if (member === null) return yield* new NotFound({ resource: "member", pointer: "/assignee" })
  }
  if (chatAccountId !== undefined) {
    const accounts = yield* ChatAccounts
    const [account] = yield* accounts.find([chatAccountId])
    // What was written over a number that was removed is still there to be found.
    const isKnown =
      account !== undefined || (yield* accounts.removed()).some((each) => each.account.id === chatAccountId)
    if (!isKnown) return yield* new NotFound({ resource: "chat account", pointer: "/chatAccountId" })
  }
  if (contactId !== undefined) {
    const [contact] = yield* (yield* Contacts).find([contactId])
    if (contact === undefined) return yield* new NotFound({ resource: "contact", pointer: "/contactId" })
  }
})

/** Reads conversations; those in which something happened last come first, unless it is said otherwise. */
export const listConversations = useCase(
  "conversations.list",
  { access: { permission: "conversations.read" } },
  Effect.fnUntraced(function* (request: ConversationListRequest, page: PageRequest) {
    yield* requireNamed(request)
    const conversations = yield* Conversations
    const sort = request.sort ?? "-lastActivityAt"
    const query = {
      statuses: request.status ?? null,
      assignee: yield* assigneeOf(request.assignee),
      unread: request.unread ?? null,
      awaitingReply: request.awaitingReply ?? null,
      priorities: request.priority ?? null,
      labels: request.label ?? null,
      chatAccountId: request.chatAccountId ?? null,
      contactId: request.contactId ?? null,
      words: request.q === undefined ? null : searchedWords(request.q),
      sort
    }
    const { data, nextCursor } = yield* pagedWithin(
      `conversations/${sort}`,
      page,
      (slice) => conversations.list(query, slice),
      ({ conversation }) => conversationKey(sort, conversation)
    )
    return { data: yield* expandConversations(yield* shownConversations(data), request.expand ?? []), nextCursor }
  })
)
