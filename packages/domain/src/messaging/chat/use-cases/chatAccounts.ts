import { DateTime, Effect, Option, Result } from "effect"
import { Locks, paged, type PageRequest, transact, useCase } from "../../../kernel/index.ts"
import { recordAudit } from "../../../platform/audit/index.ts"
import { type ChatAccount, type ChatAccountId, sendWaitDeadline } from "../ChatAccount.ts"
import { ChatAccounts } from "../ChatAccounts.ts"
import { channelFor, ChatChannels } from "../ChatChannels.ts"
import { toChatAccountView, toChatAccountViews } from "../ChatSettings.ts"
import { type NumberHealth, openProviderConnection, type ProviderConnection } from "../ProviderConnection.ts"
import { withHealthCheck } from "../accountHealth.ts"
import { saveAccount } from "../accountStatus.ts"
import type { ChannelFailure } from "../errors.ts"
import { appendEvent } from "../events.ts"
import { appIdOf, type OnboardingState } from "../onboarding/OnboardingState.ts"
import { unsubscribeRemoved } from "../onboarding/subscription.ts"
import { withOnboarding } from "../onboarding/updateAccount.ts"

/** Reads one chat account. */
export const getChatAccount = useCase(
  { name: "chatAccounts.get", access: { permission: "chat_accounts.read" } },
  Effect.fnUntraced(function* ({ id }: { readonly id: ChatAccountId }) {
    return yield* toChatAccountView(yield* (yield* ChatAccounts).get(id))
  })
)

/** Reads the chat accounts, newest first. */
export const listChatAccounts = useCase(
  { name: "chatAccounts.list", access: { permission: "chat_accounts.read" } },
  Effect.fnUntraced(function* ({ page }: { readonly page: PageRequest }) {
    const accounts = yield* ChatAccounts
    const { data, nextCursor } = yield* paged(
      "chat_accounts",
      page,
      (slice) => accounts.list(slice),
      (account) => [account.id]
    )
    return { data: yield* toChatAccountViews(data), nextCursor }
  })
)

/** Answer of the provider, with the token used and the time. `steps` are the onboarding steps that it reports. */
interface HealthCheckResult {
  readonly answer: Result.Result<NumberHealth, ChannelFailure>
  readonly steps: Partial<OnboardingState>
  readonly sealedToken: string | null
  readonly at: DateTime.Utc
}

const loadSealedToken = Effect.fnUntraced(function* (id: ChatAccountId) {
  const [secrets] = yield* (yield* ChatAccounts).secrets([id])
  return secrets?.accessToken ?? null
})

/** Reads the token and the subscription of a number, as far as the provider reports them. */
const readSteps = Effect.fnUntraced(function* (account: ChatAccount, line: ProviderConnection, at: DateTime.Utc) {
  const onboarding = (yield* ChatChannels).get(account.provider)?.onboarding ?? null
  if (onboarding === null) return {}
  const { subscribedAt } = account.onboarding
  const token = yield* Effect.orElseSucceed(onboarding.describeToken(line), () => null)
  const appId = token?.appId ?? appIdOf(account.onboarding)
  const subscription = yield* Effect.option(onboarding.readSubscription(line, appId))
  return {
    ...(token !== null && { token }),
    ...(Option.isSome(subscription) && {
      subscribedAt: subscription.value.isSubscribed ? (subscribedAt ?? at) : null,
      // Without the id of the app, the address can be the one of another app.
      ...((appId !== null || subscription.value.callbackUrl === null) && {
        callbackUrl: subscription.value.callbackUrl
      }),
      ...(subscription.value.isSubscribed && { subscriptionFailure: null })
    })
  } satisfies Partial<OnboardingState>
})

const runHealthCheck = Effect.fnUntraced(function* (id: ChatAccountId) {
  const sealedToken = yield* loadSealedToken(id)
  const account = yield* (yield* ChatAccounts).get(id)
  const { check } = yield* channelFor(account, "checking")
  const line = yield* openProviderConnection(account)
  const at = yield* DateTime.now
  const answer = yield* Effect.result(check(line))
  const steps = Result.isSuccess(answer) ? yield* readSteps(account, line, at) : {}
  return { answer, steps, sealedToken, at } satisfies HealthCheckResult
})

/** Applies the provider's answer to the current account; `null` if the token has changed since the check. */
const saveHealthCheck = Effect.fnUntraced(function* (
  id: ChatAccountId,
  { answer, at, sealedToken, steps }: HealthCheckResult
) {
  yield* (yield* Locks).exclusive("chat_accounts")
  const before = yield* (yield* ChatAccounts).get(id)
  if ((yield* loadSealedToken(id)) !== sealedToken) return null
  const checked = yield* withHealthCheck(before, Effect.fromResult(answer), at)
  const saved = yield* saveAccount(before, withOnboarding(checked, steps))
  yield* recordAudit(
    "chat_account.checked",
    { kind: "chat_account", id },
    { before: { status: before.status }, after: { status: saved.status } }
  )
  return saved
}, transact)

/**
 * Checks the health of a number at the provider, and stores the result or the failure. If the access token changes concurrently, the check runs
 * again, because a result for the former token does not apply.
 */
export const checkChatAccount = useCase(
  {
    name: "chatAccounts.check",
    access: { permission: "chat_accounts.manage" },
    audit: "chat_account.checked",
    emits: ["chat_account.updated"]
  },
  Effect.fnUntraced(function* ({ id }: { readonly id: ChatAccountId }) {
    while (true) {
      const saved = yield* saveHealthCheck(id, yield* runHealthCheck(id))
      if (saved !== null) return yield* toChatAccountView(saved)
    }
  })
)

const deleteAccount = Effect.fnUntraced(function* (id: ChatAccountId, expectedVersion: number | null) {
  const accounts = yield* ChatAccounts
  yield* (yield* Locks).exclusive("chat_accounts")
  const { displayName, externalAccountId, externalPhoneId, mode } = yield* accounts.get(id)
  const at = yield* DateTime.now
  yield* accounts.remove(id, { at, sendsWaitUntil: sendWaitDeadline(at) }, expectedVersion)
  yield* recordAudit(
    "chat_account.removed",
    { kind: "chat_account", id },
    { before: { mode, displayName, externalAccountId, externalPhoneId } }
  )
  yield* appendEvent({ type: "chat_account.removed", chatAccountId: id })
}, transact)

/**
 * Disconnects a number and deletes its secrets. Its messages stay. Its templates and queued messages wait until the number is connected again. The
 * provider stops deliveries of a business account without another number.
 */
export const removeChatAccount = useCase(
  {
    name: "chatAccounts.remove",
    access: { permission: "chat_accounts.manage" },
    audit: "chat_account.removed",
    emits: ["chat_account.removed"]
  },
  Effect.fnUntraced(function* ({ id, ifVersion }: { readonly id: ChatAccountId; readonly ifVersion: number | null }) {
    const account = yield* (yield* ChatAccounts).get(id)
    const line = account.onboarding.subscribedAt === null ? null : yield* openProviderConnection(account)
    yield* deleteAccount(id, ifVersion)
    if (line !== null) yield* unsubscribeRemoved(account, line)
  })
)
