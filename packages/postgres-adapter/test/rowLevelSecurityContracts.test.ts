import * as Postgres from "@parley/postgres-adapter"
import { layerServer, underRowLevelSecurity } from "@parley/postgres-adapter/testing"
import { allStorageContracts } from "@parley/testkit/contracts"
import { Layer } from "effect"

allStorageContracts(
  "PostgreSQL under row level security",
  Layer.provide(Postgres.layer, underRowLevelSecurity(layerServer))
)
