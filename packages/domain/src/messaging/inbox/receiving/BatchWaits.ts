import type { ConversationId, MessageId } from "../Ids.ts"
import type { Message } from "../Message.ts"
import { acceptedAt, isByPerson } from "../waiting/answers.ts"
import type { Answer, Ending, Waiting } from "../waiting/Waiting.ts"
import { afterMessage, concernsWaits, isLost, isSameWait } from "../waiting/moves.ts"

const isGone = (before: Message | null, after: Message) => before !== null && isLost(before, after)

/** Who waits in the conversations of a batch, while its events are applied one after the other. */
export class BatchWaits {
  readonly endings = new Map<MessageId, Ending | null>()
  private readonly current = new Map<ConversationId, Waiting>()
  private readonly moved = new Set<ConversationId>()
  private readonly answers = new Map<MessageId, Answer>()

  constructor(waiting: ReadonlyArray<Waiting>, answers: ReadonlyArray<Answer>) {
    for (const each of waiting) this.know(each)
    for (const answer of answers) this.answers.set(answer.messageId, answer)
  }

  /** Who waits in the conversation now; `null` where that was not loaded. */
  of(id: ConversationId): Waiting | null {
    return this.current.get(id) ?? null
  }

  /** Remembers who waits in the conversation now. */
  know({ firstRepliedAt, firstReplyId, id, waitRound, waitingSince }: Waiting) {
    this.current.set(id, { firstRepliedAt, firstReplyId, id, waitRound, waitingSince })
  }

  private remember(message: Message, id: MessageId, ending: Ending | null) {
    const { conversationId } = message
    this.endings.set(id, ending)
    const known = this.answers.get(id)
    const at = id === message.id ? acceptedAt(message) : (known?.acceptedAt ?? null)
    if (ending === null || at === null) this.answers.delete(id)
    else {
      const byPerson = known?.byPerson ?? isByPerson(message)
      this.answers.set(id, { conversationId, messageId: id, acceptedAt: at, byPerson, ...ending })
    }
  }

  private answersIn(id: ConversationId): ReadonlyArray<Answer> {
    return [...this.answers.values()].filter(({ conversationId }) => conversationId === id)
  }

  /** Who waits now that this has become of a message; `null` where that is as before. */
  move(before: Message | null, after: Message): Waiting | null {
    if (!concernsWaits(before, after)) return null
    const waiting = this.current.get(after.conversationId)
    // It was read before others had stored the message: the whole batch is done again.
    if (waiting === undefined) throw new Error("The conversation of a message was not locked.")
    const change = afterMessage(waiting, before, after, isGone(before, after) ? this.answersIn(waiting.id) : [])
    for (const [id, ending] of change.endings) this.remember(after, id, ending)
    if (isSameWait(waiting, change.waiting)) return null
    this.know(change.waiting)
    this.moved.add(waiting.id)
    return change.waiting
  }

  /** Those that have changed. */
  get changed(): ReadonlyArray<Waiting> {
    return [...this.moved].flatMap((id) => this.current.get(id) ?? [])
  }
}
