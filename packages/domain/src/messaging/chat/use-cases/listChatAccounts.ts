import { Effect } from "effect"
import { paged, type PageRequest, useCase } from "../../../kernel/index.ts"
import { ChatAccounts } from "../ChatAccounts.ts"
import { shownAccounts } from "../shown.ts"

/** Reads the chat accounts, newest first. */
export const listChatAccounts = useCase(
  "chatAccounts.list",
  { access: { permission: "chat_accounts.read" } },
  Effect.fnUntraced(function* (page: PageRequest) {
    const accounts = yield* ChatAccounts
    const { data, nextCursor } = yield* paged(
      "chat_accounts",
      page,
      (slice) => accounts.list(slice),
      (account) => [account.id]
    )
    return { data: yield* shownAccounts(data), nextCursor }
  })
)
