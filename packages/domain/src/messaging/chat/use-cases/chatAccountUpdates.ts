import { DateTime, Effect, Redacted } from "effect"
import { invalid, Locks, requirePermissions, requireVersion, transact, useCase } from "../../../kernel/index.ts"
import { recordAudit } from "../../../platform/audit/index.ts"
import { ChatAccount, type ChatAccountId, type ChatAccountPatch, ChatAccountView } from "../ChatAccount.ts"
import { ChatAccounts, type ChatSecrets } from "../ChatAccounts.ts"
import { channelFor, ChatChannels, checkUrl } from "../ChatChannels.ts"
import { ChatSettings, toChatAccountView } from "../ChatSettings.ts"
import { type NumberHealth, openProviderConnection, type ProviderConnection } from "../ProviderConnection.ts"
import { fetchNumberHealth } from "../accountConnecting.ts"
import { withHealth } from "../accountHealth.ts"
import { saveAccount } from "../accountStatus.ts"
import { appIdOf, type TokenDetails } from "../onboarding/OnboardingState.ts"
import { checkBusinessAccounts, checkToken, type ConnectionFields } from "../onboarding/tokenCheck.ts"
import { withOnboarding } from "../onboarding/updateAccount.ts"
import { requestTemplateSync } from "../templates/templateSyncTask.ts"
import { type ChatSecretName, createEndpointSecrets, formerSecretLifetime, openSecret, sealSecret } from "../secrets.ts"

const replaceSecrets = Effect.fnUntraced(function* (
  id: ChatAccountId,
  { accessToken, appSecret }: ChatAccountPatch,
  now: DateTime.Utc
) {
  const [before] = yield* (yield* ChatAccounts).secrets([id])
  if (before === undefined) return yield* Effect.die(new Error("A chat account has no secrets."))
  const { appSecret: former, formerAppSecret, pendingPin, pin, verifyToken } = before
  return {
    verifyToken,
    pin,
    pendingPin,
    accessToken: accessToken === undefined ? before.accessToken : yield* sealSecret(id, "access_token", accessToken),
    appSecret: appSecret === undefined ? former : yield* sealSecret(id, "app_secret", appSecret),
    formerAppSecret:
      appSecret === undefined || former === null
        ? formerAppSecret
        : { sealed: former, until: DateTime.add(now, formerSecretLifetime) }
  } satisfies ChatSecrets
})

/** Pointers to the fields of a change. A new token must be able to use the accounts that stay. */
const fieldsOf = ({ messagingAccountId }: ChatAccountPatch): ConnectionFields => ({
  token: "/accessToken",
  number: "/accessToken",
  businessAccount: "/accessToken",
  messagingAccount: messagingAccountId === undefined ? "/accessToken" : "/messagingAccountId"
})

const expectedApp = Effect.fnUntraced(function* ({ mode }: ChatAccount) {
  const { platformApp } = yield* ChatSettings
  return mode === "platform_app" ? (platformApp?.appId ?? null) : null
})

/** State of the number for a new access token. */
interface NewTokenResult {
  readonly health: NumberHealth
  readonly token: TokenDetails | null
  readonly appId: string | null
}

/**
 * Checks a new access token and a new messaging account at the provider like those of a new number. Returns the state of the number for the token; `null`
 * without a new token.
 */
const checkConnection = Effect.fnUntraced(function* (account: ChatAccount, patch: ChatAccountPatch) {
  const { externalAccountId, externalPhoneId, provider } = account
  const { accessToken, messagingAccountId = account.messagingAccountId } = patch
  const isMoved = messagingAccountId !== account.messagingAccountId && messagingAccountId !== null
  if (accessToken === undefined && !isMoved) return null
  const line: ProviderConnection = {
    accessToken: accessToken ?? (yield* openProviderConnection(account)).accessToken,
    phoneId: externalPhoneId,
    businessId: externalAccountId,
    ...(messagingAccountId !== null && { messagingAccountId })
  }
  const onboarding = (yield* ChatChannels).get(provider)?.onboarding ?? null
  const expected = yield* expectedApp(account)
  const fields = fieldsOf(patch)
  if (accessToken === undefined) {
    if (onboarding !== null) yield* checkBusinessAccounts(onboarding, line, appIdOf(account.onboarding), fields)
    return null
  }
  const token = onboarding === null ? null : yield* checkToken(onboarding, line, expected, fields)
  const health = yield* fetchNumberHealth(provider, line, fields)
  const appId = token?.appId ?? expected
  if (onboarding !== null) yield* checkBusinessAccounts(onboarding, line, appId, fields)
  return { health, token, appId } satisfies NewTokenResult
})

const checkPatch = Effect.fnUntraced(function* (
  { mode, provider, url: isEndpoint }: ChatAccount,
  { accessToken, appSecret, messagingAccountId, url }: ChatAccountPatch
) {
  if (isEndpoint !== null && messagingAccountId !== undefined) {
    return yield* invalid("/messagingAccountId", "An account with its own URL has no business account at a provider")
  }
  if (url !== undefined) yield* checkUrl(provider, url)
  if (isEndpoint !== null && (accessToken !== undefined || appSecret !== undefined)) {
    return yield* invalid(
      accessToken === undefined ? "/appSecret" : "/accessToken",
      "An account with its own URL has one secret. Rotate it with POST /chat_accounts/:id/rotate_secret"
    )
  }
  if (mode === "platform_app" && appSecret !== undefined) {
    return yield* invalid("/appSecret", "A number of the platform app has no app secret")
  }
})

/** The URL of an account receives its messages, and its secret authenticates them. */
const requireMessageAccess = requirePermissions(["contacts.read", "conversations.read"])

const saveUpdate = Effect.fnUntraced(function* (
  id: ChatAccountId,
  patch: ChatAccountPatch,
  expectedVersion: number | null,
  answer: NewTokenResult | null
) {
  yield* (yield* Locks).exclusive("chat_accounts")
  const before = yield* (yield* ChatAccounts).get(id)
  yield* requireVersion(before, expectedVersion)
  yield* checkPatch(before, patch)
  if (patch.url !== undefined && patch.url !== before.url) yield* requireMessageAccess
  const {
    accessToken,
    appSecret,
    displayName = before.displayName,
    messagingAccountId = before.messagingAccountId,
    url = before.url
  } = patch
  const hasNewSecrets = accessToken !== undefined || appSecret !== undefined
  const isMoved = messagingAccountId !== before.messagingAccountId
  if (!hasNewSecrets && !isMoved && displayName === before.displayName && url === before.url) return before
  const now = yield* DateTime.now
  const named = new ChatAccount({ ...before, displayName, messagingAccountId, url, updatedAt: now })
  const saved = yield* saveAccount(
    before,
    answer === null
      ? named
      : withOnboarding(withHealth(named, answer.health, now), { token: answer.token, appId: answer.appId }),
    hasNewSecrets ? yield* replaceSecrets(id, patch, now) : null
  )
  // The messaging account owns the templates.
  if (isMoved) yield* requestTemplateSync([id])
  yield* recordAudit(
    "chat_account.updated",
    { kind: "chat_account", id },
    {
      before: {
        displayName: before.displayName,
        status: before.status,
        replaced: [],
        ...(isMoved && { messagingAccountId: before.messagingAccountId }),
        ...(before.url !== null && { url: before.url })
      },
      after: {
        displayName,
        ...(isMoved && { messagingAccountId }),
        ...(url !== null && { url }),
        status: saved.status,
        replaced: [
          ...(accessToken === undefined ? [] : ["accessToken"]),
          ...(appSecret === undefined ? [] : ["appSecret"])
        ]
      }
    }
  )
  return saved
}, transact)

/**
 * Changes the name of a number, its messaging account, or its secrets. First the provider checks a new access token and a new messaging account. A
 * refused value replaces nothing; an accepted token reconnects a disconnected number.
 */
export const updateChatAccount = useCase(
  {
    name: "chatAccounts.update",
    access: { permission: "chat_accounts.manage" },
    audit: "chat_account.updated",
    emits: ["chat_account.updated"]
  },
  Effect.fnUntraced(function* ({
    id,
    ifVersion,
    ...patch
  }: { readonly id: ChatAccountId; readonly ifVersion: number | null } & ChatAccountPatch) {
    const before = yield* (yield* ChatAccounts).get(id)
    yield* requireVersion(before, ifVersion)
    yield* checkPatch(before, patch)
    const answer = yield* checkConnection(before, patch)
    return yield* toChatAccountView(yield* saveUpdate(id, patch, ifVersion, answer))
  })
)

/** Creates a new secret for an account with its own URL, and shows it once. The former secret stays valid for one day. */
export const rotateChatSecret = useCase(
  {
    name: "chatAccounts.rotateSecret",
    access: { permission: "chat_accounts.manage" },
    audit: "chat_account.secret_rotated",
    emits: ["chat_account.updated"]
  },
  Effect.fnUntraced(function* ({ id }: { readonly id: ChatAccountId }) {
    yield* (yield* Locks).exclusive("chat_accounts")
    const accounts = yield* ChatAccounts
    const before = yield* accounts.get(id)
    yield* channelFor(before, "endpoints")
    yield* requireMessageAccess
    const [kept] = yield* accounts.secrets([id])
    const updatedAt = yield* DateTime.now
    const former = kept?.appSecret ?? null
    const { secret, secrets } = yield* createEndpointSecrets(
      id,
      former === null ? null : { sealed: former, until: DateTime.add(updatedAt, formerSecretLifetime) }
    )
    const saved = yield* saveAccount(before, new ChatAccount({ ...before, updatedAt }), secrets)
    yield* recordAudit("chat_account.secret_rotated", { kind: "chat_account", id })
    return new ChatAccountView({ ...(yield* toChatAccountView(saved)), signingSecret: Redacted.value(secret) })
  }, transact)
)

const reencryptSecrets = Effect.fnUntraced(function* (id: ChatAccountId, secrets: ChatSecrets) {
  const again = Effect.fnUntraced(function* (name: ChatSecretName, sealed: string) {
    return yield* sealSecret(id, name, yield* openSecret(id, name, sealed))
  })
  const { accessToken, appSecret, formerAppSecret, pendingPin, pin, verifyToken } = secrets
  return {
    accessToken: yield* again("access_token", accessToken),
    appSecret: appSecret === null ? null : yield* again("app_secret", appSecret),
    formerAppSecret:
      formerAppSecret === null
        ? null
        : { sealed: yield* again("app_secret", formerAppSecret.sealed), until: formerAppSecret.until },
    verifyToken: verifyToken === null ? null : yield* again("verify_token", verifyToken),
    pin: pin === null ? null : yield* again("registration_pin", pin),
    pendingPin: pendingPin === null ? null : yield* again("registration_pin", pendingPin)
  } satisfies ChatSecrets
})

/** Seals the secrets of all numbers of the organization with the newest master key. Returns how many numbers were changed. */
export const reencryptChatSecrets = useCase(
  { name: "chatAccounts.reseal", access: "operator", audit: "chat_account.resealed" },
  Effect.fnUntraced(function* () {
    const accounts = yield* ChatAccounts
    yield* (yield* Locks).exclusive("chat_accounts")
    const all = yield* accounts.list({ limit: 1_000, after: null })
    for (const { id, ...secrets } of yield* accounts.secrets(all.map(({ id }) => id))) {
      const account = yield* Effect.orDie(accounts.get(id))
      yield* Effect.orDie(accounts.save(account, yield* reencryptSecrets(id, secrets), account.version))
      yield* recordAudit("chat_account.resealed", { kind: "chat_account", id })
    }
    return all.length
  }, transact)
)
