import { MailSettings } from "@parley/domain/platform"
import { ChatSettings } from "@parley/domain/messaging"
import { StoreSettings } from "@parley/domain/commerce"
import { layerAreas, type Ports, type ProviderPorts, type SecurityPorts } from "@parley/domain/composition"
import { Layer, Redacted } from "effect"
import { type ChatScript, layer as layerChat } from "./memory/messaging/chat/ChatChannel.ts"
import { layer as layerMail, type SentMails } from "./memory/platform/mail/Mailer.ts"
import * as InMemory from "./memory/InMemory.ts"
import { layer as layerStores, type ShopScript } from "./memory/commerce/AgreeingStores.ts"
import { layer as layerReceivers, type ReceiverScript } from "./memory/integrations/webhooks/MemoryReceivers.ts"
import * as TestSecurity from "./TestSecurity.ts"

/** The platform app of tests. */
export const testPlatformApp = {
  provider: "whatsapp",
  appId: "300000000000001",
  signupConfigurationId: "300000000000002",
  appSecrets: [Redacted.make("platform-app-secret"), Redacted.make("former-platform-app-secret")],
  verifyToken: Redacted.make("platform-verify-token")
} as const

/** A chat provider, a mail server and stores in memory, and a platform app. */
export const layerProviders: Layer.Layer<ProviderPorts | ChatScript | ReceiverScript | SentMails | ShopScript> =
  Layer.mergeAll(
    layerChat,
    layerStores,
    layerReceivers,
    Layer.succeed(StoreSettings, { publicUrl: "https://parley.test", returnOrigins: ["https://app.parley.test"] }),
    layerMail,
    Layer.succeed(MailSettings, { publicUrl: "http://parley.test", sendsMail: true }),
    Layer.succeed(ChatSettings, { publicUrl: "https://parley.test", platformApp: testPlatformApp })
  )

type Everything = Ports | ChatScript | ReceiverScript | SentMails | ShopScript

const layerOn = (security: Layer.Layer<SecurityPorts>): Layer.Layer<Everything> =>
  Layer.mergeAll(layerAreas.pipe(Layer.provideMerge(Layer.mergeAll(InMemory.layer, security))), layerProviders)

/** Everything that use cases need from outside, in memory. */
export const layer: Layer.Layer<Everything> = layerOn(TestSecurity.layer)

/** Same layer, with ids and secrets from the seed. */
export const layerSeededBy = (seed: string): Layer.Layer<Everything> => layerOn(TestSecurity.layerSeededBy(seed))
