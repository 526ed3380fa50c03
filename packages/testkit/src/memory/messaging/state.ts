import type { UserId } from "@parley/domain/kernel"
import type { ContactMergeId } from "@parley/domain/crm"
import type {
  CannedReply,
  CannedReplyId,
  ChatAccount,
  ChatAccountId,
  ChatSecrets,
  Conversation,
  ConversationId,
  ConversationMerge,
  EarlyReceipt,
  EndedWait,
  QueuedConversation,
  MessageRate,
  Media,
  MediaId,
  Message,
  MessageCharge,
  MessageId,
  MessageTemplate,
  MessageTemplateId,
  Note,
  NoteId,
  SealedOneTimeCode,
  Episode
} from "@parley/domain/messaging"
import { type DateTime, HashMap } from "effect"

/** Conversation and the merges that transferred it, oldest first. */
export interface ConversationRow {
  readonly conversation: Conversation
  readonly handedBy: ReadonlyArray<ContactMergeId>
  /** Earlier episodes of the conversation, oldest first. */
  readonly pastEpisodes?: ReadonlyArray<Episode>
}

/** Stored message, with the account of its provider id. */
export interface MessageRow {
  readonly chatAccountId: ChatAccountId
  readonly message: Message
  /** The provider's id of the message that it answers, where that was not known when it came. */
  readonly answered: string | null
  /** What it has ended by being accepted, if it is an answer. */
  readonly ending?: EndedWait | null
}

/** Receipt for a message that is not stored yet. */
export interface EarlyReceiptRow {
  readonly chatAccountId: ChatAccountId
  readonly receipt: EarlyReceipt
}

/** A message that waits to be sent. */
export interface SendRow {
  readonly messageId: MessageId
  readonly conversationId: ConversationId
  readonly chatAccountId: ChatAccountId
  readonly attempts: number
  /** Increases with each write. */
  readonly revision: number
  /** Which reading of the queue began last. */
  readonly begunBy: string | null
  /** Whether a provider call is recorded. */
  readonly hasBegun: boolean
  /** Earliest send time. */
  readonly runnableAt: DateTime.Utc
}

/** Stored chat account, with its sealed secrets. */
export interface ChatAccountRow {
  readonly account: ChatAccount
  /** `null` when it was removed. */
  readonly secrets: ChatSecrets | null
  readonly removedAt: DateTime.Utc | null
  /** Number of consecutive failed calls. */
  readonly failures: number
  /** End of the last sending pause; `null` if sending never paused. */
  readonly restsUntil: DateTime.Utc | null
  /** Time when the templates must be fetched again, and whether a fetch has started. */
  readonly wanted: { readonly from: DateTime.Utc; readonly isBegun: boolean } | null
  /** Increases with each change of the wanted fetch. */
  readonly wantedRevision: number
}

/** Time since a recipient counts as reached, and the previous such time. */
export interface ReachRow {
  readonly reachedAt: DateTime.Utc
  readonly formerAt: DateTime.Utc | null
}

/** Rows of one organization in this folder. */
export interface MessagingTenant {
  readonly assignmentQueue: HashMap.HashMap<ConversationId, QueuedConversation>
  readonly memberTurns: HashMap.HashMap<UserId, DateTime.Utc>
  readonly cannedReplies: HashMap.HashMap<CannedReplyId, CannedReply>
  readonly chatAccounts: HashMap.HashMap<ChatAccountId, ChatAccountRow>
  readonly conversations: HashMap.HashMap<ConversationId, ConversationRow>
  /** Reached recipients, by business and recipient. */
  readonly dailyRecipients: HashMap.HashMap<string, HashMap.HashMap<string, ReachRow>>
  /** Conversation joins from contact merges. */
  readonly conversationJoins: ReadonlyArray<ConversationMerge>
  readonly earlyReceipts: ReadonlyArray<EarlyReceiptRow>
  readonly media: HashMap.HashMap<MediaId, Media>
  readonly messageTemplates: HashMap.HashMap<MessageTemplateId, MessageTemplate>
  /** End of the lease of each template. */
  readonly messageTemplateLeases: HashMap.HashMap<MessageTemplateId, DateTime.Utc>
  /** By account and provider id. */
  readonly messageCharges: HashMap.HashMap<string, MessageCharge>
  readonly messages: HashMap.HashMap<MessageId, MessageRow>
  readonly notes: HashMap.HashMap<NoteId, Note>
  /** In insertion order. */
  readonly oneTimeCodes: HashMap.HashMap<MessageId, SealedOneTimeCode>
  readonly sends: ReadonlyArray<SendRow>
}

/** Rows of this folder outside of organizations. */
export interface MessagingState {
  /** By their keys. */
  readonly rates: HashMap.HashMap<string, MessageRate>
}

export const emptyMessagingTenant: MessagingTenant = {
  assignmentQueue: HashMap.empty(),
  memberTurns: HashMap.empty(),
  cannedReplies: HashMap.empty(),
  chatAccounts: HashMap.empty(),
  conversations: HashMap.empty(),
  dailyRecipients: HashMap.empty(),
  conversationJoins: [],
  earlyReceipts: [],
  media: HashMap.empty(),
  messageTemplates: HashMap.empty(),
  messageTemplateLeases: HashMap.empty(),
  messageCharges: HashMap.empty(),
  messages: HashMap.empty(),
  notes: HashMap.empty(),
  oneTimeCodes: HashMap.empty(),
  sends: []
}

export const emptyMessagingState: MessagingState = {
  rates: HashMap.empty()
}
