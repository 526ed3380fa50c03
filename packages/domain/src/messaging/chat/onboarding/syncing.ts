import { Effect } from "effect"
import type { ChatAccount } from "../ChatAccount.ts"
import { channelFor } from "../ChatChannels.ts"
import type { ProviderConnection } from "../ProviderConnection.ts"
import type { SyncKind, SyncRequest } from "./OnboardingState.ts"
import { toStepFailure, updateAccount, withOnboarding } from "./updateAccount.ts"

const fields = { contacts: "contactsSync", history: "historySync" } as const

const requestSync = Effect.fnUntraced(function* (account: ChatAccount, line: ProviderConnection, kind: SyncKind) {
  const known = account.onboarding[fields[kind]]
  // The decision of the customer is final, and the provider refuses another request.
  if (known !== null && (known.failure === null || known.failure.reason === "sync_declined")) return account
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
      return withOnboarding(before, {
        [fields[kind]]: { requestId, at, failure, progress: null, completedAt: null } satisfies SyncRequest
      })
    }
  })
})

/** Requests the contacts of a number's business app, then its history. The provider accepts each request once, within 24 hours. */
export const requestSyncs = Effect.fnUntraced(function* (account: ChatAccount, line: ProviderConnection) {
  return yield* requestSync(yield* requestSync(account, line, "contacts"), line, "history")
})
