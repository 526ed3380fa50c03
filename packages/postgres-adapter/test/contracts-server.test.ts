import * as Postgres from "@parley/postgres-adapter"
import { layerServer } from "@parley/postgres-adapter/testing"
import { allStorageContracts } from "@parley/testkit/contracts"
import { Layer } from "effect"
import { onServer } from "./support/onServer.ts"

onServer("the storage contracts", () => {
  allStorageContracts("PostgreSQL", Layer.provide(Postgres.layer, layerServer))
})
