import { DateTime, Effect, Schema } from "effect"
import { Contact, Contacts } from "../../crm/index.ts"
import { CurrentActor, hasPermission, unvalidated, objectShownWith } from "../../kernel/index.ts"
import { Member, Members } from "../../platform/identity/index.ts"
import { ChatChannels, type MessageSender } from "../chat/index.ts"
import { type Conversation, ConversationView, type Priority } from "./Conversation.ts"
import type { ConversationSort, ConversationWithContact } from "./Conversations.ts"
import { MessageCost, readConversationCosts } from "./messageCosts.ts"
import { isWindowOpen, reachableVia, currentRecipient, findWindowExpiry } from "./recipients.ts"

/** Priorities, most urgent first. */
export const prioritiesByUrgency: ReadonlyArray<Priority> = ["urgent", "high", "medium", "low", "none"]

/** Returns the position of a conversation in a list. Lists by rank start with the rank, lower ranks first. */
export const conversationCursorKey = (sort: ConversationSort, conversation: Conversation): ReadonlyArray<string> => {
  const { createdAt, id, lastActivityAt, priority, waitingSince } = conversation
  switch (sort) {
    case "createdAt":
    case "-createdAt":
      return [DateTime.formatIso(createdAt), id]
    case "lastActivityAt":
    case "-lastActivityAt":
      return [DateTime.formatIso(lastActivityAt), id]
    case "waitingSince":
      return waitingSince === null
        ? ["1", DateTime.formatIso(lastActivityAt), id]
        : ["0", DateTime.formatIso(waitingSince), id]
    case "priority":
      return [String(prioritiesByUrgency.indexOf(priority)), DateTime.formatIso(lastActivityAt), id]
  }
}

/** Whether rows of a rank sort by descending time. */
export const isDescending = (sort: ConversationSort, rank: string | null): boolean =>
  sort === "priority" || (sort === "waitingSince" ? rank === "1" : sort.startsWith("-"))

const makeView = unvalidated(ConversationView)

/** Capabilities of a number whose channel is not configured any more: it reaches no recipient. */
const unavailableSender = (): Pick<MessageSender, "hasServiceWindow" | "reaches"> => ({
  hasServiceWindow: true,
  reaches: new Set()
})

const toConversationView = (
  { contact, conversation, freeEntryPointExpiresAt: freeUntil, ways }: ConversationWithContact,
  sending: Pick<MessageSender, "hasServiceWindow" | "reaches">,
  now: DateTime.Utc
): ConversationView => {
  const {
    contactId: _,
    firstReplyId: __,
    inboundCount,
    otherWindows: ___,
    readCount,
    recipientAt: ____,
    resolvedAt: _____,
    episode: ______,
    waitRound: _______,
    windowExpiresAt: ________,
    ...shown
  } = conversation
  const recipient = currentRecipient(conversation, reachableVia(ways, sending), now)
  const expiresAt = recipient === null || !sending.hasServiceWindow ? null : findWindowExpiry(conversation, recipient)
  return makeView({
    ...shown,
    contact,
    recipient,
    unreadCount: Math.max(0, inboundCount - readCount),
    window: { open: !sending.hasServiceWindow || isWindowOpen(expiresAt, now), expiresAt },
    freeEntryPoint: freeUntil !== null && DateTime.isGreaterThan(freeUntil, now) ? { expiresAt: freeUntil } : null
  })
}

export const toConversationViews = Effect.fnUntraced(function* (found: ReadonlyArray<ConversationWithContact>) {
  const channels = yield* ChatChannels
  const now = yield* DateTime.now
  return found.map((each) =>
    toConversationView(each, channels.get(each.provider ?? "")?.sending ?? unavailableSender(), now)
  )
})

/** References of a conversation that a response can expand. */
export const ConversationExpansion = Schema.Literals(["assignee", "contact", "cost"])
export type ConversationExpansion = typeof ConversationExpansion.Type

/** Conversation with its expanded references. */
export const ExpandedConversation = Schema.Struct({
  ...ConversationView.fields,
  expanded: Schema.optionalKey(
    Schema.Struct({
      assignee: Schema.optionalKey(Schema.NullOr(Member)).annotateKey({
        description: "Assigned member; `null` if unassigned. Missing without `members.read`."
      }),
      contact: Schema.optionalKey(Schema.NullOr(Contact)).annotateKey({
        description: "The whole contact. Missing without `contacts.read`."
      }),
      cost: Schema.optionalKey(MessageCost).annotateKey({
        description:
          "Cost of its delivered messages by the current rate cards, in the organization's currency. Missing without `analytics.read`."
      })
    })
  ).annotateKey({ description: "Resources requested with `expand`." })
}).annotate({ identifier: "ExpandedConversation", ...objectShownWith("conversations.read") })
export type ExpandedConversation = typeof ExpandedConversation.Type

const loadAssignees = Effect.fnUntraced(function* (rows: ReadonlyArray<ExpandedConversation>) {
  const ids = [...new Set(rows.flatMap(({ assigneeId }) => assigneeId ?? []))]
  const members = ids.length === 0 ? [] : yield* (yield* Members).findByUsers(ids)
  return new Map(members.map((member) => [member.userId, member]))
})

const loadContacts = Effect.fnUntraced(function* (rows: ReadonlyArray<ExpandedConversation>) {
  const contacts = yield* (yield* Contacts).find([...new Set(rows.map(({ contact }) => contact.id))])
  return new Map(contacts.map((contact) => [contact.id, contact]))
})

/** Expands the references of conversations. Each kind is read once for all of them, and omitted for actors without read access. */
export const expandConversations = Effect.fnUntraced(function* (
  rows: ReadonlyArray<ExpandedConversation>,
  expand: ReadonlyArray<ConversationExpansion>
) {
  if (expand.length === 0 || rows.length === 0) return rows
  const actor = yield* CurrentActor
  const assignees =
    expand.includes("assignee") && hasPermission(actor, "members.read") ? yield* loadAssignees(rows) : null
  const contacts =
    expand.includes("contact") && hasPermission(actor, "contacts.read") ? yield* loadContacts(rows) : null
  const costs =
    expand.includes("cost") && hasPermission(actor, "analytics.read")
      ? yield* readConversationCosts(rows.map(({ id }) => id))
      : null
  return rows.map((row) => ({
    ...row,
    expanded: {
      ...(costs !== null && { cost: costs(row.id) }),
      ...(assignees !== null && { assignee: assignees.get(row.assigneeId) ?? null }),
      ...(contacts !== null && { contact: contacts.get(row.contact.id) ?? null })
    }
  }))
})
