import { Effect, type Result } from "effect"
import type { ChatAccountId } from "../../chat/index.ts"
import { type SendLease, SendQueue, type SendReading } from "../SendQueue.ts"
import type { CannotSend } from "./CannotSend.ts"
import type { Sending } from "./contentFor.ts"
import { findLine, type NumberAwaited } from "./findLine.ts"

/** What is read to send a message: `null` for one that is not there any more, and what it goes over. */
export interface ToSend {
  readonly reading: SendReading | null
  readonly sending: Result.Result<Sending, CannotSend | NumberAwaited>
}

/** Reads what has to be known to send messages of an account. */
export const readToSend = Effect.fnUntraced(function* (chatAccountId: ChatAccountId, leases: ReadonlyArray<SendLease>) {
  const queue = yield* SendQueue
  const [readings, sending] = yield* Effect.all([queue.read(leases), Effect.result(findLine(chatAccountId))], {
    concurrency: 2
  })
  const byId = new Map(readings.map((reading) => [reading.message.id, reading]))
  return ({ messageId }: SendLease): ToSend => ({ reading: byId.get(messageId) ?? null, sending })
})
