import type { ReceivedContacts } from "../../../crm/index.ts"
import type { Conversation } from "../Conversation.ts"
import type { InboxEvent } from "../Events.ts"
import type { MessageId } from "../Ids.ts"
import type { Media } from "../Media.ts"
import type { Message } from "../Message.ts"
import type { EarlyReceipt } from "../Messages.ts"
import type { Ending, Waiting } from "../waiting/Waiting.ts"
import type { OfAccount } from "./OfAccount.ts"

/** What is to be stored after a batch of events: only what is new or changed. */
export interface ReceivingOutcome {
  readonly contacts: ReceivedContacts
  readonly opened: ReadonlyArray<Conversation>
  readonly changed: ReadonlyArray<Conversation>
  readonly written: ReadonlyArray<OfAccount<Message>>
  readonly moved: ReadonlyArray<OfAccount<Message>>
  readonly early: ReadonlyArray<OfAccount<EarlyReceipt>>
  /** The provider's ids of the messages that some of those written answer and that nobody knows yet, or that they change. */
  readonly answered: ReadonlyMap<MessageId, string>
  /** Conversations of which only who waits has changed. */
  readonly waiting: ReadonlyArray<Waiting>
  /** What messages have ended, or do not end any more. */
  readonly endings: ReadonlyMap<MessageId, Ending | null>
  readonly files: ReadonlyArray<Media>
  readonly events: ReadonlyArray<InboxEvent>
  /** How many events were about numbers that are not connected, or about nobody. */
  readonly ignored: number
}
