import { Effect } from "effect"
import type { ChatAccountId } from "../../chat/index.ts"
import { appendEvent } from "../appendEvent.ts"
import type { Message } from "../Message.ts"
import { acceptedAt } from "./answers.ts"
import type { Waiting } from "./Waiting.ts"
import { Waits } from "./Waits.ts"
import { afterMessage, awaitsMove, concernsWaits, isLost, isSameWait, waitsChanged } from "./moves.ts"

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

/** Stores who waits in locked conversations now that this has become of a message of each. */
export const keepWaits = Effect.fnUntraced(function* (
  chatAccountId: ChatAccountId,
  changes: ReadonlyArray<MessageChange>
) {
  const concerned = changes.filter(({ is, was }) => concernsWaits(was, is))
  if (concerned.length === 0) return
  const waits = yield* Waits
  const lost = concerned.flatMap(lostFrom)
  const answers = lost.length === 0 ? [] : yield* waits.answers(lost)
  const moves = concerned.map(({ is, waiting, was }) => {
    const own = answers.filter(({ conversationId }) => conversationId === waiting.id)
    return { before: waiting, ...afterMessage(waiting, was, is, own) }
  })
  const moved = moves.filter(({ before, waiting }) => !isSameWait(before, waiting))
  const endings = new Map(moves.flatMap((move) => Array.from(move.endings)))
  yield* waits.save(
    moved.map(({ waiting }) => waiting),
    endings
  )
  for (const { before, waiting } of moved) {
    yield* appendEvent(waitsChanged(before.id, awaitsMove(chatAccountId, before, waiting)))
  }
})
