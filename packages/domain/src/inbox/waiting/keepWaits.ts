import { Effect } from "effect"
import type { ChatAccountId } from "../../chat/index.ts"
import { appendEvent } from "../appendEvent.ts"
import type { Message } from "../Message.ts"
import { acceptedAt } from "./answers.ts"
import type { Waiting } from "./Waiting.ts"
import { Waits } from "./Waits.ts"
import { afterMessage, awaitsMove, concernsWaits, isLost, isSameWait, waitsChanged } from "./moves.ts"

/** Stores who waits in a locked conversation now that this has become of a message. */
export const keepWaits = Effect.fnUntraced(function* (
  chatAccountId: ChatAccountId,
  before: Waiting,
  was: Message,
  is: Message
) {
  if (!concernsWaits(was, is)) return
  const waits = yield* Waits
  const from = isLost(was, is) ? acceptedAt(was) : null
  const answers = from === null ? [] : yield* waits.answers([{ conversationId: before.id, from }])
  const { endings, waiting } = afterMessage(before, was, is, answers)
  const isSame = isSameWait(before, waiting)
  yield* waits.save(isSame ? [] : [waiting], endings)
  if (!isSame) yield* appendEvent(waitsChanged(before.id, awaitsMove(chatAccountId, before, waiting)))
})
