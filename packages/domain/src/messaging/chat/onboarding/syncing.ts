import { Effect } from "effect"
import type { ChatAccount } from "../ChatAccount.ts"
import { channelFor } from "../ChatChannels.ts"
import type { ProviderConnection } from "../ProviderConnection.ts"
import type { SyncKind } from "./OnboardingState.ts"
import { toStepFailure, updateAccount, withOnboarding } from "./updateAccount.ts"

const fields = { contacts: "contactsSync", history: "historySync" } as const

const requestSync = Effect.fnUntraced(function* (account: ChatAccount, line: ProviderConnection, kind: SyncKind) {
  if (account.onboarding[fields[kind]]?.failure === null) return account
  const { requestSync } = yield* channelFor(account, "onboarding")
  const answer = yield* requestSync(line, kind).pipe(
    Effect.map((requestId) => ({ requestId, error: null })),
    Effect.catchTag("OnboardingRefused", (error) => Effect.succeed({ requestId: null, error }))
  )
  return yield* updateAccount(account.id, {
    change: (before, at) => {
      const { error, requestId } = answer
      // The provider accepted an earlier request, and its answer was lost.
      const failure = error === null || error.reason === "sync_repeated" ? null : toStepFailure(error, at)
      return withOnboarding(before, { [fields[kind]]: { requestId, at, failure } })
    }
  })
})

/** Requests the contacts of a number's business app, then its history. The provider accepts each request once, within 24 hours. */
export const requestSyncs = Effect.fnUntraced(function* (account: ChatAccount, line: ProviderConnection) {
  return yield* requestSync(yield* requestSync(account, line, "contacts"), line, "history")
})
