import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { ChatSettings, layerFeatureGate } from "@parley/domain"
import { Database, layer as layerStorage, Migrations } from "@parley/postgres-adapter"
import * as WhatsApp from "@parley/provider-adapters/chat/whatsapp"
import * as Security from "@parley/provider-adapters/security"
import { Layer, type Redacted } from "effect"
import { issuer } from "../servers/Setup.ts"

/** What the ports run on. */
export interface PortsOptions {
  readonly databaseUrl: Redacted.Redacted
  readonly masterKeys: Redacted.Redacted
  readonly poolSize: number
  readonly hashing?: Security.SecurityOptions["hashing"]
}

// No bench sends a message: nobody listens there.
const layerChat = Layer.merge(
  Layer.succeed(ChatSettings, { publicUrl: "http://127.0.0.1:9", platformApp: null }),
  Layer.provide(WhatsApp.layer({ baseUrl: "http://127.0.0.1:9", app: null }), NodeHttpClient.layerUndici)
)

/** Every port of the domain on a PostgreSQL database that is up to date, and the database itself. */
export const layerPorts = ({ databaseUrl, hashing, masterKeys, poolSize }: PortsOptions) =>
  Layer.mergeAll(
    Security.layer({ masterKeys, tokens: { issuer }, ...(hashing !== undefined && { hashing }) }),
    layerFeatureGate,
    layerChat
  ).pipe(
    Layer.provideMerge(layerStorage),
    Layer.provide(Migrations.layer),
    Layer.provideMerge(Database.layer({ url: databaseUrl, maxConnections: poolSize, applicationName: "parley-bench" }))
  )
