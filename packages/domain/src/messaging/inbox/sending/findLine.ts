import { DateTime, Effect, Schema } from "effect"
import { ChatAccounts, type ChatAccountId, openLine, sendsWaitUntil } from "../../chat/index.ts"
import { cannotSend } from "./CannotSend.ts"

/** The number of the message was removed, and may be connected again: until then the message waits. */
export class NumberAwaited extends Schema.TaggedError<NumberAwaited>()("NumberAwaited", {
  until: Schema.DateTimeUtc
}) {}

const awaitNumber = Effect.fnUntraced(function* (id: ChatAccountId) {
  const removal = (yield* (yield* ChatAccounts).removed()).find(({ account }) => account.id === id)
  const until = removal === undefined ? null : sendsWaitUntil(removal.removedAt)
  if (until !== null && DateTime.isLessThan(yield* DateTime.now, until)) return yield* new NumberAwaited({ until })
  return yield* cannotSend(
    "chat_account_removed",
    "The chat account was removed, and was not connected again within a day."
  )
})

/** The number that a message goes over. */
export const findLine = Effect.fnUntraced(
  function* (id: ChatAccountId) {
    const account = yield* (yield* ChatAccounts).get(id)
    if (account.status !== "disconnected") return { account, line: yield* openLine(account) }
    return yield* cannotSend("chat_account_disconnected", "The chat account is disconnected.")
  },
  (effect, id) => Effect.catchTag(effect, "NotFound", () => awaitNumber(id))
)
