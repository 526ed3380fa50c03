import { ChatSettings, layerFeatureGate, type Ports } from "@parley/domain"
import { Layer, Redacted } from "effect"
import { type ChatScript, layer as layerChat } from "./chat/ChatChannel.ts"
import * as InMemory from "./InMemory.ts"
import * as TestSecurity from "./TestSecurity.ts"

/** The platform app of tests. */
export const testPlatformApp = {
  appId: "300000000000001",
  signupConfigurationId: "300000000000002",
  appSecrets: [Redacted.make("platform-app-secret"), Redacted.make("former-platform-app-secret")],
  verifyToken: Redacted.make("platform-verify-token")
} as const

/** A chat provider in memory, and a platform app. */
export const layerProviders: Layer.Layer<ChatSettings | Layer.Success<typeof layerChat>> = Layer.mergeAll(
  layerChat,
  Layer.succeed(ChatSettings, { publicUrl: "https://parley.test", platformApp: testPlatformApp })
)

/** Everything that use cases need from outside, in memory. */
export const layer: Layer.Layer<Ports | ChatScript> = Layer.mergeAll(
  layerFeatureGate.pipe(Layer.provideMerge(InMemory.layer)),
  TestSecurity.layer,
  layerProviders
)
