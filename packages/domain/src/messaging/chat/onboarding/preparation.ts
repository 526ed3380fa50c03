import { Effect } from "effect"
import type { ChatAccount } from "../ChatAccount.ts"
import { ChatAccounts } from "../ChatAccounts.ts"
import { ChatChannels } from "../ChatChannels.ts"
import type { ProviderConnection } from "../ProviderConnection.ts"
import { fetchNumberHealth } from "../accountConnecting.ts"
import { initialOnboarding, type OnboardingState } from "./OnboardingState.ts"
import { subscribeAccount, subscribeFirst } from "./subscription.ts"
import { checkBusinessAccounts, checkToken, type ConnectionFields } from "./tokenCheck.ts"

/** Checks the token of a number and its business accounts, reads the number, and subscribes its app. Returns the start of its onboarding. */
export const prepareNumber = Effect.fnUntraced(function* (
  provider: string,
  line: ProviderConnection,
  appId: string | null,
  fields: ConnectionFields
) {
  const onboarding = (yield* ChatChannels).get(provider)?.onboarding ?? null
  const token = onboarding === null ? null : yield* checkToken(onboarding, line, appId, fields)
  // Only the access to the number proves that the token belongs to it.
  const health = yield* fetchNumberHealth(provider, line, fields)
  const knownAppId = token?.appId ?? appId
  if (onboarding !== null) yield* checkBusinessAccounts(onboarding, line, knownAppId, fields)
  const subscription = onboarding === null ? {} : yield* subscribeFirst(onboarding, line, knownAppId)
  return {
    health,
    state: { ...initialOnboarding, token, appId: knownAppId, ...subscription } satisfies OnboardingState
  }
})

/** Returns the current state of an account that was just added, unless it was removed concurrently. */
export const readAgain = Effect.fnUntraced(function* (account: ChatAccount) {
  return yield* Effect.orElseSucceed((yield* ChatAccounts).get(account.id), () => account)
})

/** Routes the events of the business account to Parley, if requested. A refusal is a failed step of the stored account. */
export const overrideIfRequested = Effect.fnUntraced(function* (
  account: ChatAccount,
  line: ProviderConnection,
  overrideCallback: boolean | undefined
) {
  if (overrideCallback !== true) return account
  return yield* subscribeAccount(account, line, { overrideCallback: true }).pipe(
    Effect.catchTag(["OnboardingRefused", "ChannelUnreachable"], () => readAgain(account)),
    Effect.catchTag("NotFound", () => Effect.succeed(account))
  )
})
