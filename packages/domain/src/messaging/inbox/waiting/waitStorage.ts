import { Effect } from "effect"
import type { ChatAccountId } from "../../chat/index.ts"
import type { Message, MessageId } from "../Message.ts"
import { appendEvent } from "../events.ts"
import { acceptedAt } from "../messageProgress.ts"
import { type Ending, type WaitChange, type Waiting, Waits } from "./Waits.ts"
import { afterMessage, awaitsMove, concernsWaits, isLost, isSameWait, waitsChanged } from "./waitMoves.ts"

/** What has become of a message in a conversation in which somebody may wait. */
export interface MessageChange {
  readonly waiting: Waiting
  readonly was: Message
  readonly is: Message
}

const lostFrom = ({ is, waiting: { id: conversationId }, was }: MessageChange) => {
  const from = isLost(was, is) ? acceptedAt(was) : null
  return from === null ? [] : [{ conversationId, from }]
}

/** What becomes of who waits in a conversation. */
interface Move extends WaitChange {
  readonly before: Waiting
}

/** What becomes of who waits in locked conversations now that this has become of a message of each. */
export const movesOf = Effect.fnUntraced(function* (changes: ReadonlyArray<MessageChange>) {
  const concerned = changes.filter(({ is, was }) => concernsWaits(was, is))
  const lost = concerned.flatMap(lostFrom)
  const answers = lost.length === 0 ? [] : yield* (yield* Waits).answers(lost)
  return concerned.map(({ is, waiting, was }): Move => {
    const own = answers.filter(({ conversationId }) => conversationId === waiting.id)
    return { before: waiting, ...afterMessage(waiting, was, is, own) }
  })
})

/** What messages have ended by these moves. */
export const endingsOf = (moves: ReadonlyArray<Move>): ReadonlyMap<MessageId, Ending | null> =>
  new Map(moves.flatMap(({ endings }) => Array.from(endings)))

/** Those that are stored of other messages than these. */
export const endingsBeside = (
  endings: ReadonlyMap<MessageId, Ending | null>,
  messages: ReadonlyArray<Pick<Message, "id">>
): ReadonlyMap<MessageId, Ending | null> => {
  const others = new Map(endings)
  for (const { id } of messages) others.delete(id)
  return others
}

/** Stores who waits in conversations after these moves, and what messages have ended that are not stored otherwise. */
export const keepWaits = Effect.fnUntraced(function* (
  chatAccountId: ChatAccountId,
  moves: ReadonlyArray<Move>,
  endings: ReadonlyMap<MessageId, Ending | null>
) {
  const moved = moves.filter(({ before, waiting }) => !isSameWait(before, waiting))
  if (moved.length === 0 && endings.size === 0) return
  yield* (yield* Waits).save(
    moved.map(({ waiting }) => waiting),
    endings
  )
  for (const { before, waiting } of moved) {
    yield* appendEvent(waitsChanged(before.id, awaitsMove(chatAccountId, before, waiting)))
  }
})
