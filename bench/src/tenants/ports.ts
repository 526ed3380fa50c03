import { layerFeatureGate } from "@parley/domain"
import { Database, layer as layerStorage, Migrations } from "@parley/postgres-adapter"
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

/** Every port of the domain on a PostgreSQL database that is up to date, and the database itself. */
export const layerPorts = ({ databaseUrl, hashing, masterKeys, poolSize }: PortsOptions) =>
  Layer.mergeAll(
    Security.layer({ masterKeys, tokens: { issuer }, ...(hashing !== undefined && { hashing }) }),
    layerFeatureGate
  ).pipe(
    Layer.provideMerge(layerStorage),
    Layer.provide(Migrations.layer),
    Layer.provideMerge(Database.layer({ url: databaseUrl, maxConnections: poolSize, applicationName: "parley-bench" }))
  )
