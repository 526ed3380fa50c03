import { Effect } from "effect"
import { record } from "../../audit/index.ts"
import { Outbox, transact, useCase } from "../../kernel/index.ts"
import { ChatAccounts } from "../ChatAccounts.ts"
import type { ChatAccountId } from "../Ids.ts"

/** Disconnects a number for good. What was written over it stays. */
export const removeChatAccount = useCase(
  "chatAccounts.remove",
  { access: { permission: "chat_accounts.manage" } },
  Effect.fnUntraced(function* (id: ChatAccountId, expectedVersion: number | null) {
    const accounts = yield* ChatAccounts
    const { displayName, externalAccountId, externalPhoneId, mode } = yield* accounts.get(id)
    yield* accounts.remove(id, expectedVersion)
    yield* record(
      "chat_account.removed",
      { kind: "chat_account", id },
      { before: { mode, displayName, externalAccountId, externalPhoneId } }
    )
    yield* (yield* Outbox).append({ type: "chat_account.removed", chatAccountId: id })
  }, transact)
)
