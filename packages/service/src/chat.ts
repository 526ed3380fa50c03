import { NodeHttpClient } from "@effect/platform-node"
import { ChatSettings, layerChatChannels, type PlatformAppSettings } from "@parley/domain"
import * as WebhookChannel from "@parley/provider-adapters/chat/webhook"
import * as WhatsApp from "@parley/provider-adapters/chat/whatsapp"
import { Cause, Effect, Layer } from "effect"
import { WrongConfiguration } from "./Failure.ts"
import { addressOf } from "./addresses.ts"
import { layerFailure } from "./layerFailure.ts"
import type { Settings } from "./settings.ts"

const incomplete = new WrongConfiguration({
  faults: [
    "PARLEY_CHAT_APP_ID: an app takes its id, PARLEY_CHAT_APP_SECRETS and PARLEY_CHAT_VERIFY_TOKEN. Give all of them, or none."
  ]
})

/** The platform app: all of it, or none. */
const platformAppOf = ({ chatAppId, chatAppSecrets, chatSignupConfigId, chatVerifyToken }: Settings) => {
  const [appId, appSecrets, verifyToken] = [chatAppId.value, chatAppSecrets.value, chatVerifyToken.value]
  if (appId === null && appSecrets === null && verifyToken === null) return Effect.succeed(null)
  if (appId === null || appSecrets === null || verifyToken === null) return Effect.fail(incomplete)
  return Effect.succeed<PlatformAppSettings>({
    provider: "whatsapp",
    appId,
    appSecrets,
    verifyToken,
    signupConfigurationId: chatSignupConfigId.value
  })
}

const onDatabaseOf = (settings: Settings, platformApp: PlatformAppSettings | null) => {
  const baseUrl = settings.chatApiUrl.value
  const [appSecret] = platformApp?.appSecrets ?? []
  return Layer.mergeAll(
    Layer.succeed(ChatSettings, { publicUrl: addressOf(settings), platformApp }),
    layerChatChannels({
      // Whoever simulates the provider may have the other side on this machine, too.
      webhook: WebhookChannel.make({ loopback: baseUrl !== null }),
      whatsapp: WhatsApp.make({
        ...(baseUrl === null ? {} : { baseUrl, loopbackMedia: true }),
        app: platformApp === null || appSecret === undefined ? null : { appId: platformApp.appId, appSecret }
      })
    }).pipe(Layer.provide(NodeHttpClient.layerUndici))
  )
}

/** The chat provider, as configured. */
export const layerChat = (settings: Settings) =>
  Layer.unwrap(
    Effect.match(platformAppOf(settings), {
      onFailure: (error) =>
        layerFailure<Layer.Success<ReturnType<typeof onDatabaseOf>>, WrongConfiguration>(Cause.fail(error)),
      onSuccess: (app) => onDatabaseOf(settings, app)
    })
  )
