import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import {
  ChatSettings,
  layerAreas,
  layerNoMailer,
  layerNoStores,
  type StorePlatforms,
  type StoreSettings
} from "@parley/domain"
import { Database, layer as layerStorage, Migrations } from "@parley/postgres-adapter"
import * as WhatsApp from "@parley/provider-adapters/chat/whatsapp"
import * as Security from "@parley/provider-adapters/security"
import * as Webhooks from "@parley/provider-adapters/webhooks"
import { Layer, Redacted } from "effect"
import { issuer } from "../servers/Setup.ts"
import { layerShops, type ShopGrounds } from "../stores/shops.ts"

/** Dependencies of the ports. */
export interface PortsOptions {
  readonly databaseUrl: Redacted.Redacted
  readonly masterKeys: Redacted.Redacted
  readonly poolSize: number
  readonly hashing?: Security.SecurityOptions["hashing"]
  readonly chat?: ChatGrounds
  readonly shops?: ShopGrounds
  /** Default: the stores of `shops`, or none. */
  readonly stores?: Layer.Layer<StorePlatforms | StoreSettings>
}

/** The simulated chat provider, and the app for numbers without an own app. */
export interface ChatGrounds {
  readonly url: string
  readonly appId: string
  readonly appSecret: string
  /** Time limit of a provider call. Default: the usual limit. */
  readonly timeoutMillis?: number
}

// Without a provider no messages are sent: the port has no listener.
const nowhere = "http://127.0.0.1:9"

const layerChat = (chat: ChatGrounds | undefined) => {
  if (chat === undefined) {
    return Layer.merge(
      Layer.succeed(ChatSettings, { publicUrl: nowhere, platformApp: null }),
      Layer.provide(WhatsApp.layer({ baseUrl: nowhere, app: null }), NodeHttpClient.layerUndici)
    )
  }
  const appSecret = Redacted.make(chat.appSecret)
  const platformApp = {
    provider: "whatsapp",
    appId: chat.appId,
    signupConfigurationId: null,
    appSecrets: [appSecret],
    verifyToken: Redacted.make("the verify token of the bench")
  }
  return Layer.merge(
    Layer.succeed(ChatSettings, { publicUrl: nowhere, platformApp }),
    Layer.provide(
      WhatsApp.layer({
        baseUrl: chat.url,
        loopbackMedia: true,
        app: { appId: chat.appId, appSecret },
        ...(chat.timeoutMillis !== undefined && { timeout: chat.timeoutMillis })
      }),
      NodeHttpClient.layerUndici
    )
  )
}

/** Every port of the domain on a PostgreSQL database that is up to date, and the database itself. */
export const layerPorts = ({
  chat,
  databaseUrl,
  hashing,
  masterKeys,
  poolSize,
  shops,
  stores = shops === undefined ? layerNoStores(nowhere) : layerShops(shops)
}: PortsOptions) =>
  layerAreas.pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        Security.layer({ masterKeys, tokens: { issuer }, ...(hashing !== undefined && { hashing }) }),
        layerChat(chat),
        layerNoMailer(nowhere),
        Webhooks.layer({ publicUrl: nowhere, loopback: true }),
        stores
      )
    ),
    Layer.provideMerge(layerStorage),
    Layer.provide(Migrations.layer),
    Layer.provideMerge(Database.layer({ url: databaseUrl, maxConnections: poolSize, applicationName: "parley-bench" }))
  )
