import { Effect } from "effect"
import type { ChatAccountId } from "../../chat/index.ts"
import type { Message, MessageId } from "../Message.ts"
import { appendEvent } from "../events.ts"
import { acceptedAt } from "../messageProgress.ts"
import { type EndedWait, type WaitChange, type ConversationWait, Waits } from "./Waits.ts"
import {
  applyMessageChange,
  waitTransition,
  isWaitRelevant,
  isAcceptanceLost,
  isSameWait,
  waitsChangedEvent
} from "./waitTransitions.ts"

/** Change of a message in a conversation that may have a wait. */
export interface MessageChange {
  readonly waiting: ConversationWait
  readonly was: Message
  readonly is: Message
}

const lostAcceptances = ({ is, waiting: { id: conversationId }, was }: MessageChange) => {
  const from = isAcceptanceLost(was, is) ? acceptedAt(was) : null
  return from === null ? [] : [{ conversationId, from }]
}

interface StoredWaitChange extends WaitChange {
  readonly before: ConversationWait
}

/** Computes the wait changes of locked conversations after one message of each has changed. */
export const waitChanges = Effect.fnUntraced(function* (changes: ReadonlyArray<MessageChange>) {
  const concerned = changes.filter(({ is, was }) => isWaitRelevant(was, is))
  const lost = concerned.flatMap(lostAcceptances)
  const answers = lost.length === 0 ? [] : yield* (yield* Waits).answers(lost)
  return concerned.map(({ is, waiting, was }): StoredWaitChange => {
    const own = answers.filter(({ conversationId }) => conversationId === waiting.id)
    return { before: waiting, ...applyMessageChange(waiting, was, is, own) }
  })
})

/** Returns the waits that messages have ended by these changes. */
export const endedWaits = (moves: ReadonlyArray<StoredWaitChange>): ReadonlyMap<MessageId, EndedWait | null> =>
  new Map(moves.flatMap(({ endings }) => Array.from(endings)))

/** Selects the ended waits of messages that are not in the given set. */
export const otherEndedWaits = (
  endings: ReadonlyMap<MessageId, EndedWait | null>,
  messages: ReadonlyArray<Pick<Message, "id">>
): ReadonlyMap<MessageId, EndedWait | null> => {
  const others = new Map(endings)
  for (const { id } of messages) others.delete(id)
  return others
}

/** Stores the waits of conversations after these changes, and ended waits that no other call stores. */
export const saveWaits = Effect.fnUntraced(function* (
  chatAccountId: ChatAccountId,
  moves: ReadonlyArray<StoredWaitChange>,
  endings: ReadonlyMap<MessageId, EndedWait | null>
) {
  const moved = moves.filter(({ before, waiting }) => !isSameWait(before, waiting))
  if (moved.length === 0 && endings.size === 0) return
  yield* (yield* Waits).save(
    moved.map(({ waiting }) => waiting),
    endings
  )
  for (const { before, waiting } of moved) {
    yield* appendEvent(waitsChangedEvent(before.id, waitTransition(chatAccountId, before, waiting)))
  }
})
