import { Effect, Schedule } from "effect"
import { Ids, invalid, nextId, useCase } from "../../../kernel/index.ts"
import {
  ChatAccountId,
  type NewChatAccount,
  type NewNumber,
  type PlatformApp,
  type PlatformSignup
} from "../ChatAccount.ts"
import type { ChatSecrets } from "../ChatAccounts.ts"
import { channelFor, ChatChannels } from "../ChatChannels.ts"
import { ChatSettings, platformWebhookPath, toChatAccountView } from "../ChatSettings.ts"
import type { ProviderConnection, NumberSignup } from "../ProviderConnection.ts"
import { addAccount, fetchNumberHealth, checkAccountCapacity, connectEndpoint } from "../accountConnecting.ts"
import { PlatformAppNotConfigured, SignupInterrupted } from "../errors.ts"
import { sealSecret } from "../secrets.ts"

/** Provider of a number without an explicit provider. */
const defaultProvider = "whatsapp"

/** Length of a verify token in bytes. */
const verifyTokenBytes = 24

const sealSecrets = Effect.fnUntraced(function* (id: ChatAccountId, { accessToken, appSecret }: NewNumber) {
  const verifyToken = yield* (yield* Ids).secret(verifyTokenBytes)
  return {
    accessToken: yield* sealSecret(id, "access_token", accessToken),
    appSecret: yield* sealSecret(id, "app_secret", appSecret),
    formerAppSecret: null,
    verifyToken: yield* sealSecret(id, "verify_token", verifyToken)
  } satisfies ChatSecrets
})

const connectNumber = Effect.fnUntraced(function* (said: NewNumber) {
  const { accessToken, displayName, externalAccountId, externalPhoneId, provider = defaultProvider } = said
  const channel = (yield* ChatChannels).get(provider)
  if (channel !== undefined && channel.endpoints !== null) {
    return yield* invalid("/url", `An account of the provider ${provider} needs its own URL`)
  }
  yield* checkAccountCapacity({ provider, externalPhoneId })
  const health = yield* fetchNumberHealth(provider, {
    accessToken,
    phoneId: externalPhoneId,
    businessId: externalAccountId
  })
  const id = yield* nextId(ChatAccountId)
  const connecting = { provider, mode: "own_app", displayName, externalAccountId, externalPhoneId, url: null } as const
  return yield* toChatAccountView(yield* addAccount(id, connecting, health, (id) => sealSecrets(id, said)))
})

/**
 * Connects a number through the organization's own app. First the provider confirms the number and the token. After a refusal, or without an answer,
 * nothing is stored. An account with its own URL is not checked, because it does not have the signing secret yet.
 */
export const connectChatAccount = useCase(
  {
    name: "chatAccounts.connect",
    access: { permission: "chat_accounts.manage" },
    audit: "chat_account.connected",
    emits: ["chat_account.connected"]
  },
  Effect.fnUntraced(function* (said: NewChatAccount) {
    return yield* "url" in said ? connectEndpoint(said) : connectNumber(said)
  })
)

/** Retries, because the code is consumed: a short outage of the provider must not lose the signup. */
const withRetries = <A, E extends { readonly _tag: string }, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.retry(effect, {
    schedule: Schedule.exponential("200 millis"),
    times: 3,
    while: ({ _tag }) => _tag === "ChannelUnreachable"
  })

const subscribeNumber = Effect.fnUntraced(
  function* (provider: string, signup: NumberSignup, line: ProviderConnection) {
    // Only the access to the number proves that the signup belongs to it.
    const health = yield* fetchNumberHealth(provider, line).pipe(withRetries)
    yield* signup.subscribe(line).pipe(withRetries)
    return health
  },
  Effect.catchTag("ChannelUnreachable", () => Effect.fail(new SignupInterrupted()))
)

/** Connects a number through the platform app with the code of its signup. A code is valid once. */
export const connectThroughPlatformApp = useCase(
  {
    name: "chatAccounts.signUp",
    access: { permission: "chat_accounts.manage" },
    audit: "chat_account.connected",
    emits: ["chat_account.connected"]
  },
  Effect.fnUntraced(function* ({ code, displayName, externalAccountId, externalPhoneId }: PlatformSignup) {
    const { platformApp } = yield* ChatSettings
    if (platformApp === null) return yield* new PlatformAppNotConfigured()
    const { provider } = platformApp
    const signup = yield* channelFor(platformApp, "signup")
    // The provider accepts the code once, so all checks without it run before.
    yield* checkAccountCapacity({ provider, externalPhoneId })
    const accessToken = yield* signup.exchangeCode(code)
    const health = yield* subscribeNumber(provider, signup, {
      accessToken,
      phoneId: externalPhoneId,
      businessId: externalAccountId
    })
    const account = yield* addAccount(
      yield* nextId(ChatAccountId),
      { provider, mode: "platform_app", displayName, externalAccountId, externalPhoneId, url: null },
      health,
      Effect.fnUntraced(function* (id) {
        return {
          accessToken: yield* sealSecret(id, "access_token", accessToken),
          appSecret: null,
          formerAppSecret: null,
          verifyToken: null
        }
      })
    )
    return yield* toChatAccountView(account)
  })
)

/** Returns whether this service has a platform app, with the data for its signup. */
export const getPlatformApp = useCase(
  { name: "chatAccounts.platformApp", access: { permission: "chat_accounts.read" } },
  Effect.fnUntraced(function* () {
    const { platformApp } = yield* ChatSettings
    return {
      offered: platformApp !== null,
      appId: platformApp?.appId ?? null,
      signupConfigurationId: platformApp?.signupConfigurationId ?? null,
      webhookPath: platformWebhookPath
    } satisfies PlatformApp
  })
)
