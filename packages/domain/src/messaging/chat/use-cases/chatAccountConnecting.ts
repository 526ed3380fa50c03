import { Effect } from "effect"
import { Ids, invalid, nextId, useCase } from "../../../kernel/index.ts"
import { ChatAccountId, type NewChatAccount, type NewNumber, type PlatformApp } from "../ChatAccount.ts"
import type { ChatSecrets } from "../ChatAccounts.ts"
import { ChatChannels } from "../ChatChannels.ts"
import { ChatSettings, platformWebhookPath, toChatAccountView } from "../ChatSettings.ts"
import type { ProviderConnection } from "../ProviderConnection.ts"
import { addAccount, checkAccountCapacity, connectEndpoint } from "../accountConnecting.ts"
import { overrideIfRequested, prepareNumber } from "../onboarding/preparation.ts"
import { newNumberFields } from "../onboarding/tokenCheck.ts"
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
    verifyToken: yield* sealSecret(id, "verify_token", verifyToken),
    pin: null,
    pendingPin: null
  } satisfies ChatSecrets
})

const connectNumber = Effect.fnUntraced(function* (input: NewNumber) {
  const { accessToken, displayName, externalAccountId, externalPhoneId, provider = defaultProvider } = input
  const channel = (yield* ChatChannels).get(provider)
  if (channel !== undefined && channel.endpoints !== null) {
    return yield* invalid("/url", `An account of the provider ${provider} needs its own URL`)
  }
  yield* checkAccountCapacity({ provider, externalPhoneId })
  const line: ProviderConnection = {
    accessToken,
    phoneId: externalPhoneId,
    businessId: externalAccountId,
    ...(input.messagingAccountId !== undefined && { messagingAccountId: input.messagingAccountId })
  }
  const { health, state } = yield* prepareNumber(provider, line, input.appId ?? null, newNumberFields)
  const account = yield* addAccount(
    yield* nextId(ChatAccountId),
    {
      provider,
      mode: "own_app",
      displayName,
      externalAccountId,
      externalPhoneId,
      messagingAccountId: input.messagingAccountId ?? null,
      url: null,
      onboarding: { ...state, isCoexistence: health.details.isOnBusinessApp === true }
    },
    health,
    (id) => sealSecrets(id, input)
  )
  return yield* toChatAccountView(yield* overrideIfRequested(account, line, input.overrideCallback))
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
  Effect.fnUntraced(function* (input: NewChatAccount) {
    return yield* "url" in input ? connectEndpoint(input) : connectNumber(input)
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
