import type { ChatAccountId } from "../../chat/index.ts"
import type { Contact, SuppressedOptOuts } from "../../../crm/index.ts"
import type { Conversation } from "../Conversation.ts"
import type { MessageId } from "../Ids.ts"
import type { Message } from "../Message.ts"
import type { EarlyReceipt } from "../Messages.ts"
import type { Answer, Waiting } from "../waiting/Waiting.ts"
import type { OfAccount } from "./OfAccount.ts"
import type { WordLists } from "./words/WordLists.ts"

/** Everything that events may be about, as it is. */
export interface LoadedState {
  /** The organization's numbers, by the provider's ids. */
  readonly accounts: ReadonlyMap<string, ChatAccountId>
  readonly contacts: ReadonlyArray<Contact>
  /** The opt-outs that are kept of people who are not known by these identities now. */
  readonly optOuts: SuppressedOptOuts
  /** Of each contact and number, the latest. */
  readonly conversations: ReadonlyArray<Conversation>
  /** Who waits in the conversations of answers that receipts are about. */
  readonly waiting: ReadonlyArray<Waiting>
  /** Of conversations in which an answer may fail that was accepted: those that were accepted since. */
  readonly answers: ReadonlyArray<Answer>
  readonly messages: ReadonlyArray<OfAccount<Message>>
  /** The ids of messages outside of conversations that receipts name. */
  readonly outside: ReadonlySet<MessageId>
  /** The organization's words by which somebody wants no more marketing, or wants it again. */
  readonly words: WordLists
  /** Receipts that were kept for messages whose provider ids these events tell. */
  readonly early: ReadonlyArray<OfAccount<EarlyReceipt>>
}
