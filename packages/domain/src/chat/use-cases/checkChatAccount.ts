import { DateTime, Effect } from "effect"
import { record } from "../../audit/index.ts"
import { Locks, transact, useCase } from "../../kernel/index.ts"
import { ChatAccount } from "../ChatAccount.ts"
import { ChatAccounts } from "../ChatAccounts.ts"
import { ChatChannel } from "../ChatChannel.ts"
import { checkedAccount } from "../health.ts"
import type { ChatAccountId } from "../Ids.ts"
import { openLine } from "../lineOf.ts"
import { saveAccount } from "../saveAccount.ts"
import { shownAccount } from "../shown.ts"

/** What the provider has said, on top of the account as it is now. */
const keep = Effect.fnUntraced(function* (checked: ChatAccount) {
  yield* (yield* Locks).exclusive("chat_accounts")
  const before = yield* (yield* ChatAccounts).get(checked.id)
  const { displayName, version } = before
  const saved = yield* saveAccount(before, new ChatAccount({ ...checked, displayName, version }))
  yield* record(
    "chat_account.checked",
    { kind: "chat_account", id: checked.id },
    { before: { status: before.status }, after: { status: saved.status } }
  )
  return saved
}, transact)

/** Asks the provider how a number is doing, and keeps what it says; that it cannot be asked is kept, too. */
export const checkChatAccount = useCase(
  "chatAccounts.check",
  { access: { permission: "chat_accounts.manage" } },
  Effect.fnUntraced(function* (id: ChatAccountId) {
    const account = yield* (yield* ChatAccounts).get(id)
    const line = yield* openLine(account)
    const checked = yield* checkedAccount(account, (yield* ChatChannel).health(line), yield* DateTime.now)
    return yield* shownAccount(yield* keep(checked))
  })
)
