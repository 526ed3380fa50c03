import { DateTime, Effect, type Redacted } from "effect"
import { Locks, transact } from "../../../kernel/index.ts"
import { recordAudit } from "../../../platform/audit/index.ts"
import { requireCapacity } from "../../../platform/entitlements/index.ts"
import { ChatAccount, type ChatAccountId } from "../ChatAccount.ts"
import { ChatAccounts } from "../ChatAccounts.ts"
import type { NumberHealth } from "../ProviderConnection.ts"
import type { ConnectionInput } from "../accountConnecting.ts"
import { withHealth } from "../accountHealth.ts"
import { saveAccount } from "../accountStatus.ts"
import { ChatAccountExists } from "../errors.ts"
import { appendEvent } from "../events.ts"
import { sealSecret } from "../secrets.ts"
import { requestTemplateSync } from "../templates/templateSyncTask.ts"

/**
 * Returns the account that a signup renews; `null` for a new number, which needs capacity in the plan. A number of an own app is not renewed, because
 * its app would change.
 */
export const findRenewable = Effect.fnUntraced(function* (provider: string, externalPhoneId: string) {
  const [known] = yield* (yield* ChatAccounts).findByNumber(provider, [externalPhoneId])
  if (known?.mode === "platform_app") return known.id
  yield* requireCapacity("chatAccounts")
  if (known !== undefined) return yield* new ChatAccountExists({ chatAccountId: known.id })
  return null
})

/** Repeated data of the business app can be requested again after a new signup. */
const renewedOnboarding = ({ onboarding: before }: ChatAccount, { onboarding: signup }: ConnectionInput) => ({
  ...before,
  codeExchangedAt: signup.codeExchangedAt,
  token: signup.token,
  appId: signup.appId,
  isCoexistence: signup.isCoexistence,
  subscribedAt: signup.subscribedAt,
  subscriptionFailure: signup.subscriptionFailure,
  callbackUrl: signup.callbackUrl,
  ...(signup.isCoexistence && { contactsSync: null, historySync: null })
})

/** Stores the access of a repeated signup in the account of its number. Its history, its templates, its queue and its PIN stay. */
export const renewAccount = Effect.fnUntraced(function* (
  id: ChatAccountId,
  signup: ConnectionInput,
  health: NumberHealth,
  accessToken: Redacted.Redacted
) {
  yield* (yield* Locks).exclusive("chat_accounts")
  const accounts = yield* ChatAccounts
  const before = yield* accounts.get(id)
  const [secrets] = yield* accounts.secrets([id])
  if (secrets === undefined) return yield* Effect.die(new Error("A chat account has no secrets."))
  const { id: _, ...kept } = secrets
  const now = yield* DateTime.now
  const isMoved = signup.externalAccountId !== before.externalAccountId
  const renewed = new ChatAccount({
    ...before,
    displayName: signup.displayName ?? before.displayName,
    externalAccountId: signup.externalAccountId,
    messagingAccountId: signup.messagingAccountId ?? before.messagingAccountId,
    // Restrictions belong to the business account.
    restrictions: isMoved ? [] : before.restrictions,
    onboarding: renewedOnboarding(before, signup),
    updatedAt: now
  })
  const saved = yield* saveAccount(before, withHealth(renewed, health, now), {
    ...kept,
    accessToken: yield* sealSecret(id, "access_token", accessToken)
  })
  if (isMoved) yield* requestTemplateSync([id])
  const { displayName, externalAccountId, externalPhoneId, mode, provider, status } = saved
  yield* recordAudit(
    "chat_account.connected",
    { kind: "chat_account", id },
    {
      before: { externalAccountId: before.externalAccountId, status: before.status },
      after: { provider, mode, displayName, externalAccountId, externalPhoneId, status }
    }
  )
  yield* appendEvent({ type: "chat_account.connected", chatAccountId: id })
  return saved
}, transact)
