import { Effect } from "effect"
import { ChatAccounts } from "./ChatAccounts.ts"

/** Chat accounts that were removed take no room. */
export const chatAccountUse = {
  limit: "chatAccounts",
  lock: "chat_accounts",
  count: Effect.flatMap(ChatAccounts, (accounts) => accounts.count())
} as const
