import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { layerNoMailer, type Mailer, MailSettings } from "@parley/domain/platform"
import { ChatSettings, layerChatChannels, type PlatformAppSettings } from "@parley/domain/messaging"
import { layerNoStores, layerStorePlatforms, type StorePlatforms, StoreSettings } from "@parley/domain/commerce"
import * as WebhookChannel from "@parley/provider-adapters/chat/webhook"
import * as WhatsApp from "@parley/provider-adapters/chat/whatsapp"
import { isMailbox, layer as layerSmtp, senderOf, smtpServerAddress } from "@parley/provider-adapters/mail"
import * as Shopify from "@parley/provider-adapters/stores/shopify"
import * as Webhooks from "@parley/provider-adapters/webhooks"
import { Cause, Effect, type FileSystem, Layer, type Path } from "effect"
import { layerFailure, WrongConfiguration } from "./Failure.ts"
import { addressOf } from "./addresses.ts"
import type { Settings } from "./readSettings.ts"

const incomplete = new WrongConfiguration({
  faults: [
    "PARLEY_CHAT_APP_ID: an app needs its id, PARLEY_CHAT_APP_SECRETS and PARLEY_CHAT_VERIFY_TOKEN. Set all of them, or none."
  ]
})

/** Platform app: either all settings or none. */
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
      // With a simulated provider, the receiver can also be on this machine.
      webhook: WebhookChannel.make({ loopback: baseUrl !== null }),
      whatsapp: WhatsApp.make({
        ...(baseUrl === null ? {} : { baseUrl, loopbackMedia: true }),
        app: platformApp === null || appSecret === undefined ? null : { appId: platformApp.appId, appSecret }
      })
    }).pipe(Layer.provide(NodeHttpClient.layerUndici))
  )
}

export const layerChat = (settings: Settings) =>
  Layer.unwrap(
    Effect.match(platformAppOf(settings), {
      onFailure: (error) =>
        layerFailure<Layer.Success<ReturnType<typeof onDatabaseOf>>, WrongConfiguration>(Cause.fail(error)),
      onSuccess: (app) => onDatabaseOf(settings, app)
    })
  )

const storesIncomplete = new WrongConfiguration({
  faults: ["PARLEY_STORE_CLIENT_ID: an app needs its id and PARLEY_STORE_CLIENT_SECRETS. Set both, or none."]
})

/** Store providers: the configured Shopify app, or none. Redirects can return to the origins that can call the service. */
export const layerStores = (settings: Settings) => {
  const { corsOrigins, storeApiUrl, storeApiVersion, storeClientId, storeClientSecrets, storeScopes } = settings
  const [clientId, secrets] = [storeClientId.value, storeClientSecrets.value]
  const publicUrl = addressOf(settings)
  if (clientId === null && secrets === null) return layerNoStores(publicUrl, corsOrigins.value)
  const [clientSecret, formerSecret = null] = secrets ?? []
  if (clientId === null || clientSecret === undefined) {
    return layerFailure<StorePlatforms | StoreSettings, WrongConfiguration>(Cause.fail(storesIncomplete))
  }
  return Layer.mergeAll(
    Layer.succeed(StoreSettings, { publicUrl, returnOrigins: corsOrigins.value }),
    layerStorePlatforms({
      shopify: Shopify.make({
        app: { clientId, clientSecret, formerSecret },
        furtherScopes: storeScopes.value,
        apiVersion: storeApiVersion.value,
        baseUrl: storeApiUrl.value
      })
    }).pipe(Layer.provide(NodeHttpClient.layerUndici))
  )
}

export type MailLayer = Layer.Layer<Mailer | MailSettings, WrongConfiguration, FileSystem.FileSystem | Path.Path>

/** Mail settings that send mails with links to this service. */
export const sendingMail = (settings: Settings) =>
  Layer.succeed(MailSettings, { publicUrl: addressOf(settings), sendsMail: true })

const wrong = (fault: string): MailLayer =>
  layerFailure<Mailer | MailSettings, WrongConfiguration>(Cause.fail(new WrongConfiguration({ faults: [fault] })))

/** Configured mail server: either all settings or none. */
export const layerMail = (settings: Settings): MailLayer => {
  const { mailFrom, smtpUrl } = settings
  if (smtpUrl.value === null && mailFrom.value === null) return layerNoMailer(addressOf(settings))
  if (smtpUrl.value === null) return wrong("PARLEY_SMTP_URL: PARLEY_MAIL_FROM also needs a mail server.")
  if (mailFrom.value === null) return wrong("PARLEY_MAIL_FROM: PARLEY_SMTP_URL also needs a sender.")
  const server = smtpServerAddress(smtpUrl.value)
  if (server === null) return wrong(`PARLEY_SMTP_URL: expected ${smtpUrl.setting.expected}`)
  const from = senderOf(mailFrom.value)
  if (from === null || !isMailbox(from.address)) return wrong(`PARLEY_MAIL_FROM: expected ${mailFrom.setting.expected}`)
  return Layer.mergeAll(layerSmtp({ server, from }), sendingMail(settings))
}

export const layerWebhooks = (settings: Settings) =>
  Webhooks.layer({ publicUrl: addressOf(settings), loopback: settings.webhookAllowLoopback.value === "on" })
