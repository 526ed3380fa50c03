import { DateTime, Effect } from "effect"
import { record } from "../../../platform/audit/index.ts"
import { Locks, transact, useCase } from "../../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { ChatAccounts } from "../ChatAccounts.ts"
import type { ChatAccountId } from "../Ids.ts"
import { sendsWaitUntil } from "../removal.ts"

/**
 * Disconnects a number and erases its secrets. What was written over it stays; its templates and what is queued wait for the
 * number to be connected again.
 */
export const removeChatAccount = useCase(
  "chatAccounts.remove",
  { access: { permission: "chat_accounts.manage" } },
  Effect.fnUntraced(function* (id: ChatAccountId, expectedVersion: number | null) {
    const accounts = yield* ChatAccounts
    yield* (yield* Locks).exclusive("chat_accounts")
    const { displayName, externalAccountId, externalPhoneId, mode } = yield* accounts.get(id)
    const at = yield* DateTime.now
    yield* accounts.remove(id, { at, sendsWaitUntil: sendsWaitUntil(at) }, expectedVersion)
    yield* record(
      "chat_account.removed",
      { kind: "chat_account", id },
      { before: { mode, displayName, externalAccountId, externalPhoneId } }
    )
    yield* appendEvent({ type: "chat_account.removed", chatAccountId: id })
  }, transact)
)
