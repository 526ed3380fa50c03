import { DateTime, Effect } from "effect"
import { type Contact, type ContactId, Contacts } from "../../../crm/index.ts"
import {
  nextId,
  NotFound,
  pagedPartial,
  type PageRequest,
  PermissionDenied,
  requirePermissions,
  transact,
  useCase,
  type UserId
} from "../../../kernel/index.ts"
import { recordAudit } from "../../../platform/audit/index.ts"
import { EventListeners } from "../../../platform/events/index.ts"
import { Members } from "../../../platform/identity/index.ts"
import { channelFor, type ChatAccountId, ChatAccounts, type MessageSender } from "../../chat/index.ts"
import { Conversation, type ConversationStatus, type NewConversation, type Priority } from "../Conversation.ts"
import { Conversations, type ConversationSort } from "../Conversations.ts"
import { ConversationId } from "../Message.ts"
import { requireCurrentUser, lockAssignee, currentUserId } from "../assignees.ts"
import { Workloads } from "../assigning/AssignmentQueue.ts"
import { showContact } from "../contactPresence.ts"
import { conversationAuditFields, loadConversationView } from "../conversationChanges.ts"
import { nextEpisode } from "../conversationStates.ts"
import {
  type ConversationExpansion,
  conversationCursorKey,
  expandConversations,
  type ExpandedConversation,
  toConversationViews
} from "../conversationViews.ts"
import { ConversationExists } from "../errors.ts"
import { appendEvent } from "../events.ts"
import { querySearchTokens } from "../messageSearch.ts"
import { presenceLifetime, type PresenceState, toLiveEvent } from "../presence.ts"
import { defaultRecipient, reachableVia, recipientIdentities, switchWindows } from "../recipients.ts"
import { chosenRecipient } from "../writing/recipientResolution.ts"

/** Locks the contact, which prevents its deletion during the start of its conversation. */
const lockPair = Effect.fnUntraced(function* ({ chatAccountId, contactId }: NewConversation) {
  const [contact] = yield* (yield* Contacts).lock([contactId])
  if (contact === undefined) return yield* new NotFound({ resource: "contact", pointer: "/contactId" })
  const [account] = yield* (yield* ChatAccounts).find([chatAccountId])
  if (account === undefined) return yield* new NotFound({ resource: "chat account", pointer: "/chatAccountId" })
  return { contact, sending: yield* channelFor(account, "sending") }
})

/** Returns the windows of the contact and the number, which do not end with a conversation. */
const lastWindows = (last: Conversation | undefined) => ({
  recipient: last?.recipient ?? null,
  windowExpiresAt: last?.windowExpiresAt ?? null,
  otherWindows: last?.otherWindows ?? []
})

/** Resolves the recipient of a new conversation: the chosen one, else the one with the latest open window. */
const resolveInitialRecipient = Effect.fnUntraced(function* (
  contact: Contact,
  chosen: NewConversation["recipient"],
  last: Conversation | undefined,
  sending: MessageSender,
  now: DateTime.Utc
) {
  const windows = lastWindows(last)
  const recipient =
    chosen === undefined
      ? defaultRecipient(reachableVia(recipientIdentities(contact), sending), windows, now)
      : yield* chosenRecipient(contact, chosen, sending)
  return recipient === null
    ? { ...windows, recipientAt: null }
    : { ...switchWindows(windows, recipient), recipientAt: chosen === undefined ? null : now }
})

/** Opens a conversation with a contact, if no unresolved one exists. */
export const openConversation = useCase(
  {
    name: "conversations.open",
    access: { permission: "conversations.manage" },
    audit: "conversation.opened",
    emits: ["conversation.opened"]
  },
  Effect.fnUntraced(function* (input: NewConversation) {
    const { chatAccountId, contactId, labels = [], priority = "none" } = input
    const conversations = yield* Conversations
    const { assigneeId, fits } = yield* lockAssignee(input.assigneeId ?? null, "/assigneeId")
    const { contact, sending } = yield* lockPair(input)
    yield* fits
    const [last] = yield* conversations.lockLatest([{ contactId, chatAccountId }])
    if (last !== undefined && last.status !== "resolved") {
      return yield* new ConversationExists({ conversationId: last.id })
    }
    const now = yield* DateTime.now
    const id = yield* nextId(ConversationId)
    const conversation = new Conversation({
      id,
      contactId,
      chatAccountId,
      status: "open",
      priority,
      assigneeId,
      snoozedUntil: null,
      labels,
      inboundCount: 0,
      readCount: 0,
      lastMessage: null,
      lastInboundAt: null,
      ...(yield* resolveInitialRecipient(contact, input.recipient, last, sending, now)),
      episode: nextEpisode(null, now),
      resolvedAt: null,
      lastActivityAt: now,
      createdAt: now,
      updatedAt: now,
      version: 1
    })
    yield* conversations.insert([conversation])
    if (assigneeId !== null) yield* (yield* Workloads).recordAssigned([assigneeId], now)
    yield* recordAudit(
      "conversation.opened",
      { kind: "conversation", id },
      { after: { contactId, chatAccountId, ...conversationAuditFields(conversation) } }
    )
    yield* appendEvent({ type: "conversation.opened", conversationId: id, contactId, chatAccountId, status: "open" })
    return yield* loadConversationView(id)
  }, transact)
)

/** Reads one conversation. */
export const getConversation = useCase(
  { name: "conversations.get", access: { permission: "conversations.read" } },
  Effect.fnUntraced(function* ({
    id,
    expand = []
  }: {
    readonly id: ConversationId
    readonly expand?: ReadonlyArray<ConversationExpansion>
  }) {
    const shown: ExpandedConversation = yield* loadConversationView(id)
    const [expanded] = yield* expandConversations([shown], expand)
    return expanded ?? shown
  })
)

/** Filters of a list of conversations; all given ones must match. */
export interface ConversationListRequest {
  readonly status?: ReadonlyArray<ConversationStatus>
  /** `me` is the current user. */
  readonly assignee?: UserId | "me" | "none"
  readonly unread?: boolean
  /** Whether the contact waits for an answer. */
  readonly awaitingReply?: boolean
  readonly priority?: ReadonlyArray<Priority>
  /** Matches any of these labels. */
  readonly label?: ReadonlyArray<string>
  readonly chatAccountId?: ChatAccountId
  readonly contactId?: ContactId
  /** Terms in a message of the conversation. */
  readonly q?: string
  readonly sort?: ConversationSort
  /** References to expand in the response. */
  readonly expand?: ReadonlyArray<ConversationExpansion>
}

const resolveAssignee = (asked: ConversationListRequest["assignee"]) =>
  asked === "me" ? requireCurrentUser("/assignee") : Effect.succeed(asked ?? null)

/** Fails for filters with unknown resources, because a typo would otherwise return an empty list. */
const requireReferencedResources = Effect.fnUntraced(function* ({
  assignee,
  chatAccountId,
  contactId
}: ConversationListRequest) {
  if (assignee !== undefined && assignee !== "me" && assignee !== "none") {
    const member = yield* (yield* Members).findByUser(assignee)
    if (member === null) return yield* new NotFound({ resource: "member", pointer: "/assignee" })
  }
  if (chatAccountId !== undefined) {
    const accounts = yield* ChatAccounts
    const [account] = yield* accounts.find([chatAccountId])
    // Conversations over a removed number can still be found.
    const isKnown =
      account !== undefined || (yield* accounts.removed()).some((each) => each.account.id === chatAccountId)
    if (!isKnown) return yield* new NotFound({ resource: "chat account", pointer: "/chatAccountId" })
  }
  if (contactId !== undefined) {
    const [contact] = yield* (yield* Contacts).find([contactId])
    if (contact === undefined) return yield* new NotFound({ resource: "contact", pointer: "/contactId" })
  }
})

/** Lists conversations, by default the most recently active first. */
export const listConversations = useCase(
  { name: "conversations.list", access: { permission: "conversations.read" } },
  Effect.fnUntraced(function* ({ page, ...request }: { readonly page: PageRequest } & ConversationListRequest) {
    yield* requireReferencedResources(request)
    const conversations = yield* Conversations
    const sort = request.sort ?? "-lastActivityAt"
    const query = {
      statuses: request.status ?? null,
      assignee: yield* resolveAssignee(request.assignee),
      unread: request.unread ?? null,
      awaitingReply: request.awaitingReply ?? null,
      priorities: request.priority ?? null,
      labels: request.label ?? null,
      chatAccountId: request.chatAccountId ?? null,
      contactId: request.contactId ?? null,
      words: request.q === undefined ? null : querySearchTokens(request.q),
      sort
    }
    const { data, nextCursor } = yield* pagedPartial(
      `conversations/${sort}`,
      page,
      (slice) => conversations.list(query, slice),
      ({ conversation }) => conversationCursorKey(sort, conversation)
    )
    return { data: yield* expandConversations(yield* toConversationViews(data), request.expand ?? []), nextCursor }
  })
)

/** Counts the conversations of each status, and conversations that need attention. */
export const countConversations = useCase(
  { name: "conversations.count", access: { permission: "conversations.read" } },
  Effect.fnUntraced(function* () {
    return yield* (yield* Conversations).counts(yield* currentUserId)
  })
)

const announcePresence = Effect.fnUntraced(function* (id: ConversationId, userId: UserId, state: PresenceState) {
  const expiresAt = DateTime.addDuration(yield* DateTime.now, presenceLifetime)
  yield* (yield* EventListeners).announce(toLiveEvent({ conversationId: id, userId, state, expiresAt }))
})

/**
 * Shows other members for 15 seconds that the caller views the conversation or types, and on request the contact too. Programs can only show it to
 * the contact. Call it outside a unit of work.
 */
export const showPresence = useCase(
  { name: "conversations.showPresence", access: { permission: "conversations.read" } },
  Effect.fnUntraced(function* ({
    id,
    showToContact = false,
    state
  }: {
    readonly id: ConversationId
    readonly state: PresenceState
    readonly showToContact?: boolean
  }) {
    const userId = yield* currentUserId
    if (userId === null && !showToContact) return yield* new PermissionDenied({ permission: "user" })
    if (showToContact) yield* requirePermissions(["conversations.manage"])
    yield* (yield* Conversations).get(id)
    if (userId !== null) yield* announcePresence(id, userId, state)
    if (showToContact && state !== "left") yield* showContact(id, { isTyping: state === "typing" })
  })
)
