import { DateTime, Effect } from "effect"
import type { ChatAccount } from "../ChatAccount.ts"
import { ChatAccounts } from "../ChatAccounts.ts"
import { withOnboarding } from "./updateAccount.ts"

/** Records that deliveries of these accounts arrive, once per account. An account that changes concurrently is recorded by its next delivery. */
export const recordFirstDeliveries = Effect.fnUntraced(function* (accounts: ReadonlyArray<ChatAccount>) {
  const unseen = accounts.filter(({ onboarding }) => onboarding.webhookSeenAt === null)
  if (unseen.length === 0) return
  const { save } = yield* ChatAccounts
  const webhookSeenAt = yield* DateTime.now
  for (const account of unseen) {
    yield* Effect.ignore(save(withOnboarding(account, { webhookSeenAt }), null, account.version))
  }
})
