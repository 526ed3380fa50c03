import { Effect, Schema } from "effect"
import { ContactId } from "../../crm/index.ts"
import { ActorRef, shownWith, Timestamp, UserId, objectShownWith } from "../../kernel/index.ts"
import { SingleLineText, MultiLineText } from "../../platform/identity/index.ts"
import { ChatAccountId, Recipient } from "../chat/index.ts"
import { ConversationId, Direction, MessageId, MessageKind, RecipientChoice } from "./Message.ts"

/**
 * Episode: the time from opening a conversation until it is resolved. Each reopening starts another one. Merges of contacts neither start nor end
 * one.
 */
export const Episode = Schema.Struct({
  /** The first episode of a conversation is 1. */
  number: Schema.Int,
  /** Time of the contact's message that opened the conversation, or of a manual opening. */
  startedAt: Timestamp,
  resolvedAt: Schema.NullOr(Timestamp),
  resolvedBy: Schema.NullOr(ActorRef)
}).annotate({ identifier: "Episode" })
export type Episode = typeof Episode.Type

export const ConversationStatus = Schema.Literals(["open", "pending", "snoozed", "resolved"])
export type ConversationStatus = typeof ConversationStatus.Type

export const Priority = Schema.Literals(["none", "low", "medium", "high", "urgent"])
export type Priority = typeof Priority.Type

const Label = SingleLineText.check(Schema.isMaxCodePoints(40, { message: "Expected at most 40 characters" }))

/** Assignee of a conversation: a member, or `me` for the current user; `null` for none. */
export const Assignee = Schema.NullOr(Schema.Union([Schema.Literal("me"), UserId])).annotate({ identifier: "Assignee" })
export type Assignee = typeof Assignee.Type

/** Labels of the team on a conversation, without duplicates. */
export const Labels = Schema.Array(Label).check(
  Schema.isMaxLength(20, { message: "Expected at most 20 labels" }),
  Schema.isUnique({ message: "Expected each label once" })
)

/** Last message of a conversation, in brief. */
export const LastMessage = Schema.Struct({
  id: MessageId,
  direction: Direction,
  kind: MessageKind,
  /** Beginning of the text; `null` without text. */
  text: Schema.NullOr(Schema.String),
  at: Timestamp
}).annotate({ identifier: "LastMessage" })
export type LastMessage = typeof LastMessage.Type

/** End of the service window (24-hour window) of one identity. */
export const IdentityWindow = Schema.Struct({ ...Recipient.fields, expiresAt: Timestamp })
export type IdentityWindow = typeof IdentityWindow.Type

const orNull = <S extends Schema.Top>(schema: S) =>
  Schema.NullOr(schema).pipe(Schema.withConstructorDefault(Effect.succeed(null)))

/** Messages between a team and a contact over one number. */
export class Conversation extends Schema.Class<Conversation>("ConversationRecord")({
  id: ConversationId,
  contactId: ContactId,
  chatAccountId: ChatAccountId,
  status: ConversationStatus,
  priority: Priority,
  assigneeId: Schema.NullOr(UserId),
  snoozedUntil: Schema.NullOr(Timestamp),
  labels: Labels,
  /** Number of incoming messages. The team has read the first `readCount` of them. */
  inboundCount: Schema.Int,
  readCount: Schema.Int,
  lastMessage: Schema.NullOr(LastMessage),
  lastInboundAt: Schema.NullOr(Timestamp),
  /** Identity that wrote last, that the conversation was opened to, or that was chosen since; `null` without any. */
  recipient: Schema.NullOr(Recipient),
  /** Time of the recipient's last message, by the provider's clock, or of its choice; `null` before both. */
  recipientAt: Schema.NullOr(Timestamp),
  /** End of the recipient's service window; `null` before the recipient has written. */
  windowExpiresAt: Schema.NullOr(Timestamp),
  /** Service windows of other identities that have written over this number. */
  otherWindows: Schema.Array(IdentityWindow),
  /** Time of the contact's first unanswered message; `null` without a wait. */
  waitingSince: orNull(Timestamp),
  /** Time and id of the first answer of a person in a wait, as accepted by the provider. */
  firstRepliedAt: orNull(Timestamp),
  firstReplyId: orNull(MessageId),
  /** Number of waits that ended without an answer, by resolving or blocking. A wait can be restored within one round only. */
  waitRound: Schema.Int.pipe(Schema.withConstructorDefault(Effect.succeed(0))),
  /** Current or last episode; `null` if the conversation was never open. */
  episode: orNull(Episode),
  resolvedAt: Schema.NullOr(Timestamp),
  /** Time of the last activity. Lists are sorted by it. */
  lastActivityAt: Timestamp,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  version: Schema.Int
}) {}

/** Contact of a conversation, in brief. */
export const ConversationContact = Schema.Struct({
  id: ContactId,
  name: Schema.NullOr(Schema.String).pipe(shownWith("contacts.read")),
  phone: Schema.NullOr(Schema.String).pipe(shownWith("contacts.read"))
}).annotate({ identifier: "ConversationContact" })
export type ConversationContact = typeof ConversationContact.Type

/** Whether free-form messages are allowed now, and the end of the window. */
export const ServiceWindow = Schema.Struct({
  open: Schema.Boolean,
  expiresAt: Schema.NullOr(Timestamp)
}).annotate({ identifier: "ServiceWindow" })
export type ServiceWindow = typeof ServiceWindow.Type

/** Time until which all messages are free of charge, after an advertisement led the contact here. It allows no free-form messages. */
export const FreeEntryPoint = Schema.Struct({ expiresAt: Timestamp }).annotate({ identifier: "FreeEntryPoint" })
export type FreeEntryPoint = typeof FreeEntryPoint.Type

export class ConversationView extends Schema.Class<ConversationView>("Conversation")(
  {
    id: ConversationId,
    contact: ConversationContact,
    chatAccountId: ChatAccountId,
    recipient: Schema.NullOr(Recipient)
      .annotateKey({ description: "Address for outbound messages. Null if the contact has none." })
      .pipe(shownWith("contacts.read")),
    status: ConversationStatus,
    priority: Priority,
    assigneeId: Schema.NullOr(UserId),
    snoozedUntil: Schema.NullOr(Timestamp),
    unreadCount: Schema.Int,
    lastMessage: Schema.NullOr(LastMessage),
    lastInboundAt: Schema.NullOr(Timestamp),
    lastActivityAt: Timestamp,
    /** Start of the wait for an answer by a member; `null` without a wait. */
    waitingSince: Schema.NullOr(Timestamp),
    /** Time of a member's first answer in this wait, as accepted by the provider. */
    firstRepliedAt: Schema.NullOr(Timestamp),
    window: ServiceWindow,
    /** Current free entry point, as reported by the provider with the status of a reply; `null` without one. */
    freeEntryPoint: Schema.NullOr(FreeEntryPoint),
    labels: Labels,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    version: Schema.Int
  },
  objectShownWith("conversations.read")
) {}

/** Contact and number of a new conversation. */
export const NewConversation = Schema.Struct({
  contactId: ContactId,
  chatAccountId: ChatAccountId,
  assigneeId: Schema.optionalKey(Assignee),
  priority: Schema.optionalKey(Priority),
  labels: Schema.optionalKey(Labels),
  recipient: Schema.optionalKey(RecipientChoice)
}).annotate({ identifier: "NewConversation" })
export type NewConversation = typeof NewConversation.Type

/** Changes of a conversation without a change of its status. */
export const ConversationPatch = Schema.Struct({
  priority: Schema.optionalKey(Priority),
  labels: Schema.optionalKey(Labels),
  assigneeId: Schema.optionalKey(Assignee),
  status: Schema.optionalKey(Schema.Literals(["open", "pending", "resolved"])),
  recipient: Schema.optionalKey(RecipientChoice)
}).annotate({ identifier: "ConversationPatch" })
export type ConversationPatch = typeof ConversationPatch.Type

/** Number of conversations in each status, and of unresolved conversations with a need for attention. */
export const ConversationCounts = Schema.Struct({
  open: Schema.Int,
  pending: Schema.Int,
  snoozed: Schema.Int,
  resolved: Schema.Int,
  mine: Schema.Int,
  unassigned: Schema.Int,
  unread: Schema.Int
}).annotate({ identifier: "ConversationCounts" })
export type ConversationCounts = typeof ConversationCounts.Type

const conversationIds = Schema.Array(ConversationId).check(
  Schema.isBetweenLength(1, 100, { message: "Expected 1 to 100 conversations" }),
  Schema.isUnique({ message: "Expected each conversation once" })
)

/** One change of many conversations. Conversations that cannot take the change are listed in the answer and stay unchanged. */
export const ConversationBulk = Schema.Struct({
  ids: conversationIds,
  action: Schema.Union([
    Schema.Struct({ type: Schema.Literal("resolve") }),
    Schema.Struct({ type: Schema.Literal("reopen") }),
    Schema.Struct({ type: Schema.Literal("read") }),
    Schema.Struct({ type: Schema.Literal("unread") }),
    Schema.Struct({ type: Schema.Literal("snooze"), until: Timestamp }),
    Schema.Struct({ type: Schema.Literal("assign"), assigneeId: Assignee }),
    Schema.Struct({ type: Schema.Literal("set_priority"), priority: Priority }),
    Schema.Struct({ type: Schema.Literal("add_labels"), labels: Labels }),
    Schema.Struct({ type: Schema.Literal("remove_labels"), labels: Labels })
  ])
}).annotate({ identifier: "ConversationBulk" })
export type ConversationBulk = typeof ConversationBulk.Type

export const ConversationBulkResult = Schema.Struct({
  changed: Schema.Int,
  unchanged: Schema.Int,
  refused: Schema.Array(Schema.Struct({ id: ConversationId, code: Schema.String, detail: Schema.String }))
}).annotate({ identifier: "ConversationBulkResult" })
export type ConversationBulkResult = typeof ConversationBulkResult.Type

export const NoteText = MultiLineText.check(
  Schema.isBetweenCodePoints(1, 10_000, { message: "Expected 1 to 10000 characters" })
)
