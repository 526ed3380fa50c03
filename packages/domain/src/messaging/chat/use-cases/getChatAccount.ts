import { Effect } from "effect"
import { useCase } from "../../../kernel/index.ts"
import { ChatAccounts } from "../ChatAccounts.ts"
import type { ChatAccountId } from "../Ids.ts"
import { shownAccount } from "../shown.ts"

/** Reads one chat account. */
export const getChatAccount = useCase(
  "chatAccounts.get",
  { access: { permission: "chat_accounts.read" } },
  Effect.fnUntraced(function* (id: ChatAccountId) {
    return yield* shownAccount(yield* (yield* ChatAccounts).get(id))
  })
)
