import type { DateTime } from "effect"
import type { Conversation } from "../Conversation.ts"
import type { ConversationId, MessageId } from "../Ids.ts"

/** Who waits for whom in a conversation. */
export type Waiting = Pick<Conversation, "id" | "waitingSince" | "firstRepliedAt" | "firstReplyId" | "waitRound">

/** What an answer has ended by being accepted, kept with its message. */
export interface Ending {
  /** The round of the conversation in which it was accepted. */
  readonly round: number
  /** Since when the contact had waited; `null` where nobody did. */
  readonly since: DateTime.Utc | null
}

/** A message that ends waits and was accepted. */
export interface Answer extends Ending {
  readonly conversationId: ConversationId
  readonly messageId: MessageId
  readonly acceptedAt: DateTime.Utc
  readonly byPerson: boolean
}

/** What becomes of a conversation's waits, and of what its messages have ended: `null` is nothing any more. */
export interface WaitChange {
  readonly waiting: Waiting
  readonly endings: ReadonlyMap<MessageId, Ending | null>
}
