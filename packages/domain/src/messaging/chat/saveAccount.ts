import { Effect } from "effect"
import { appendEvent } from "./appendEvent.ts"
import type { ChatAccount } from "./ChatAccount.ts"
import { ChatAccounts, type ChatSecrets } from "./ChatAccounts.ts"

/** Stores an account that was read under the lock of accounts, and appends the events of its changes. */
export const saveAccount = Effect.fnUntraced(function* (
  before: ChatAccount,
  after: ChatAccount,
  secrets: ChatSecrets | null = null
) {
  const saved = yield* Effect.catchTag(
    (yield* ChatAccounts).save(after, secrets, before.version),
    "VersionConflict",
    (error) => Effect.die(error)
  )
  const chatAccountId = after.id
  if (before.status !== after.status) {
    yield* appendEvent({
      type: "chat_account.status_changed",
      chatAccountId,
      from: before.status,
      to: after.status
    })
  }
  yield* appendEvent({ type: "chat_account.updated", chatAccountId })
  return saved
})
