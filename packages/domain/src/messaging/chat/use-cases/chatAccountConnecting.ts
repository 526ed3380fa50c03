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

/** Whose a number is of which nothing else is said. */
const defaultProvider = "whatsapp"

/** How many random bytes a verify token has. */
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
    return yield* invalid("/url", `An account of the provider ${provider} is an address of its own: say which`)
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
 * Connects a number through the organization's own app, once the provider has said that there is such a number and that the
 * token may use it. Where it refuses that, or cannot be asked, nothing is kept. An account that is an address of its own is asked nothing: it does
 * not know yet what we sign with.
 */
export const connectChatAccount = useCase(
  "chatAccounts.connect",
  { access: { permission: "chat_accounts.manage" } },
  Effect.fnUntraced(function* (said: NewChatAccount) {
    return yield* "url" in said ? connectEndpoint(said) : connectNumber(said)
  })
)

/** The code is spent by now: a moment in which the provider is away shall not lose the signup. */
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
    // The token must be able to use the number: whose signup it is, is known from nothing else.
    const health = yield* fetchNumberHealth(provider, line).pipe(withRetries)
    yield* signup.subscribe(line).pipe(withRetries)
    return health
  },
  Effect.catchTag("ChannelUnreachable", () => Effect.fail(new SignupInterrupted()))
)

/** Connects a number through the platform app, from the code that its signup has given. A code is good once. */
export const connectThroughPlatformApp = useCase(
  "chatAccounts.signUp",
  { access: { permission: "chat_accounts.manage" } },
  Effect.fnUntraced(function* ({ code, displayName, externalAccountId, externalPhoneId }: PlatformSignup) {
    const { platformApp } = yield* ChatSettings
    if (platformApp === null) return yield* new PlatformAppNotConfigured()
    const { provider } = platformApp
    const signup = yield* channelFor(platformApp, "signup")
    // The provider takes the code once: what can be refused without it is refused before.
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

/** Says whether this service offers an app to connect numbers through, and what its signup needs. */
export const getPlatformApp = useCase(
  "chatAccounts.platformApp",
  { access: { permission: "chat_accounts.read" } },
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
