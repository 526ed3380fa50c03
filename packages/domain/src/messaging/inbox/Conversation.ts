import { Effect, Schema } from "effect"
import { ContactId } from "../../crm/index.ts"
import { ActorRef, shownWith, Timestamp, UserId, objectShownWith } from "../../kernel/index.ts"
import { SingleLineText, MultiLineText } from "../../platform/identity/index.ts"
import { ChatAccountId, Recipient } from "../chat/index.ts"
import { ConversationId, Direction, MessageId, MessageKind, RecipientChoice } from "./Message.ts"

/**
 * The time from when a conversation is opened until it is resolved. Each time that it is opened again, another one begins. Merges of
 * contacts neither begin nor end one.
 */
export const Episode = Schema.Struct({
  /** The first one of a conversation is 1. */
  number: Schema.Int,
  /** When the contact wrote what opened it, or when somebody did. */
  startedAt: Timestamp,
  resolvedAt: Schema.NullOr(Timestamp),
  resolvedBy: Schema.NullOr(ActorRef)
}).annotate({ identifier: "Stretch" })
export type Episode = typeof Episode.Type

export const ConversationStatus = Schema.Literals(["open", "pending", "snoozed", "resolved"])
export type ConversationStatus = typeof ConversationStatus.Type

export const Priority = Schema.Literals(["none", "low", "medium", "high", "urgent"])
export type Priority = typeof Priority.Type

const Label = SingleLineText.check(Schema.isMaxCodePoints(40, { message: "Expected at most 40 characters" }))

/** Who is to take care of a conversation: a member, or `me` for whoever says so; `null` is nobody. */
export const Assignee = Schema.NullOr(Schema.Union([Schema.Literal("me"), UserId])).annotate({ identifier: "Assignee" })
export type Assignee = typeof Assignee.Type

/** Words of the team on a conversation, each once. */
export const Labels = Schema.Array(Label).check(
  Schema.isMaxLength(20, { message: "Expected at most 20 labels" }),
  Schema.isUnique({ message: "Expected each label once" })
)

/** The last message of a conversation, in brief. */
export const LastMessage = Schema.Struct({
  id: MessageId,
  direction: Direction,
  kind: MessageKind,
  /** Its first words; `null` where it has none. */
  text: Schema.NullOr(Schema.String),
  at: Timestamp
}).annotate({ identifier: "LastMessage" })
export type LastMessage = typeof LastMessage.Type

/** Until when free-form messages may go to one identity. */
export const IdentityWindow = Schema.Struct({ ...Recipient.fields, expiresAt: Timestamp })
export type IdentityWindow = typeof IdentityWindow.Type

const orNull = <S extends Schema.Top>(schema: S) =>
  Schema.NullOr(schema).pipe(Schema.withConstructorDefault(Effect.succeed(null)))

/** What a team and a contact write each other over one number, from when it is opened until it is resolved. */
export class Conversation extends Schema.Class<Conversation>("ConversationRecord")({
  id: ConversationId,
  contactId: ContactId,
  chatAccountId: ChatAccountId,
  status: ConversationStatus,
  priority: Priority,
  assigneeId: Schema.NullOr(UserId),
  snoozedUntil: Schema.NullOr(Timestamp),
  labels: Labels,
  /** How many messages came in, and how many of them the team has read, from the first on. */
  inboundCount: Schema.Int,
  readCount: Schema.Int,
  lastMessage: Schema.NullOr(LastMessage),
  lastInboundAt: Schema.NullOr(Timestamp),
  /** The identity that wrote last, that it was opened to, or that was chosen since; `null` where there is none yet. */
  recipient: Schema.NullOr(Recipient),
  /** When the recipient wrote last, by the provider's clock, or was chosen; `null` where neither has happened. */
  recipientAt: Schema.NullOr(Timestamp),
  /** Until when free-form messages may go to the recipient; `null` before they have written. */
  windowExpiresAt: Schema.NullOr(Timestamp),
  /** The windows of the other identities that have written, over this number. */
  otherWindows: Schema.Array(IdentityWindow),
  /** When the contact wrote the first of what nobody has answered; `null` where nobody waits. */
  waitingSince: orNull(Timestamp),
  /** When the first answer of a person to somebody who waited was accepted by the provider, and which one that is. */
  firstRepliedAt: orNull(Timestamp),
  firstReplyId: orNull(MessageId),
  /** How often a wait was over without an answer, by resolving or blocking: what is not answered any more comes back within one round only. */
  waitRound: Schema.Int.pipe(Schema.withConstructorDefault(Effect.succeed(0))),
  /** The present stretch, or the last one; `null` where it was never anything but resolved. */
  stretch: orNull(Episode),
  resolvedAt: Schema.NullOr(Timestamp),
  /** When something last happened in it: what lists are sorted by. */
  lastActivityAt: Timestamp,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  version: Schema.Int
}) {}

/** Whom a conversation is with, in brief. */
export const ConversationContact = Schema.Struct({
  id: ContactId,
  name: Schema.NullOr(Schema.String).pipe(shownWith("contacts.read")),
  phone: Schema.NullOr(Schema.String).pipe(shownWith("contacts.read"))
}).annotate({ identifier: "ConversationContact" })
export type ConversationContact = typeof ConversationContact.Type

/** Whether free-form messages may go out now, and until when. */
export const ServiceWindow = Schema.Struct({
  open: Schema.Boolean,
  expiresAt: Schema.NullOr(Timestamp)
}).annotate({ identifier: "ServiceWindow" })
export type ServiceWindow = typeof ServiceWindow.Type

/** A conversation as it is shown. */
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
    labels: Labels,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    version: Schema.Int
  },
  objectShownWith("conversations.read")
) {}

/** Whom to write to, and over which number. */
export const NewConversation = Schema.Struct({
  contactId: ContactId,
  chatAccountId: ChatAccountId,
  assigneeId: Schema.optionalKey(Assignee),
  priority: Schema.optionalKey(Priority),
  labels: Schema.optionalKey(Labels),
  recipient: Schema.optionalKey(RecipientChoice)
}).annotate({ identifier: "NewConversation" })
export type NewConversation = typeof NewConversation.Type

/** What may be changed of a conversation without changing its status. */
export const ConversationPatch = Schema.Struct({
  priority: Schema.optionalKey(Priority),
  labels: Schema.optionalKey(Labels),
  assigneeId: Schema.optionalKey(Assignee),
  status: Schema.optionalKey(Schema.Literals(["open", "pending", "resolved"])),
  recipient: Schema.optionalKey(RecipientChoice)
}).annotate({ identifier: "ConversationPatch" })
export type ConversationPatch = typeof ConversationPatch.Type

/** How many conversations there are in each status, and how many of the unresolved ones ask for somebody. */
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

/** One change of many conversations. Those that it does not fit are named in the answer, and stay as they are. */
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

/** What a bulk change has come to. */
export const ConversationBulkResult = Schema.Struct({
  changed: Schema.Int,
  unchanged: Schema.Int,
  refused: Schema.Array(Schema.Struct({ id: ConversationId, code: Schema.String, detail: Schema.String }))
}).annotate({ identifier: "ConversationBulkResult" })
export type ConversationBulkResult = typeof ConversationBulkResult.Type

/** What a note says. */
export const NoteText = MultiLineText.check(
  Schema.isBetweenCodePoints(1, 10_000, { message: "Expected 1 to 10000 characters" })
)
