import * as Postgres from "@parley/postgres-adapter"
import { layerEmbedded, layerServer, underRowLevelSecurity } from "@parley/postgres-adapter/testing"
import { allStorageContracts } from "@parley/testkit/contracts"
import { Layer } from "effect"
import { onServer } from "./support/onServer.ts"

allStorageContracts(
  "PGlite under row level security",
  Layer.provide(Postgres.layer, underRowLevelSecurity(layerEmbedded)),
  { overlap: "none" }
)

onServer("the storage contracts under row level security", () => {
  allStorageContracts("PostgreSQL", Layer.provide(Postgres.layer, underRowLevelSecurity(layerServer)))
})
